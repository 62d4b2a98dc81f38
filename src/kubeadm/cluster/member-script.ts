/**
 * Asks the etcd of this host, by the image that it runs from: `list` prints its members, `health` whether each of them
 * answers, `status` what this one says of itself and then all alarms, `remove` takes one out by its id. It changes
 * nothing but with `remove`.
 */
export const memberScript = `
what=$1
shift
container=$(crictl ps --name '^etcd$' --state running --quiet | head -n 1)
if [ -z "$container" ]; then
  echo "no etcd runs on this host" >&2
  exit 4
fi
ask() {
  crictl exec "$container" etcdctl --endpoints https://127.0.0.1:2379 \\
    --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt \\
    --key /etc/kubernetes/pki/etcd/server.key --command-timeout 10s "$@"
}
case $what in
  list) ask member list --write-out json ;;
  # It ends with an error where one of them does not answer, and says of each.
  health) ask endpoint health --cluster --write-out json || true ;;
  status)
    ask endpoint status --write-out json
    # Without a quorum nobody knows them.
    ask alarm list || true
    ;;
  remove) ask member remove "$1" ;;
esac
`
