import { kubernetesFolder } from '../config/kubeadm-paths.ts'

/** What scripts begin with that ask the etcd of this host: `ask` runs the etcdctl of the image that it runs from. */
export const askEtcd = `
container=$(crictl ps --name '^etcd$' --state running --quiet | head -n 1 || true)
require_etcd() {
  [ -n "$container" ] && return 0
  echo "no etcd runs on this host" >&2
  exit 4
}
ask() {
  crictl exec "$container" etcdctl --endpoints https://127.0.0.1:2379 \\
    --cacert ${kubernetesFolder}/pki/etcd/ca.crt --cert ${kubernetesFolder}/pki/etcd/server.crt \\
    --key ${kubernetesFolder}/pki/etcd/server.key "$@"
}
`
