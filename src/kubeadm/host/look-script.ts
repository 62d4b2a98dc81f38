import {
  kubeletConfigFile,
  kubeletFlagsFile,
  kubernetesFolder,
  markFile,
  patchesFolder,
} from '../config/kubeadm-paths.ts'
import { shellLibrary } from './shell-library.ts'

/**
 * Looks at a host and changes nothing: one line `fact`, name and value for each thing, with tabs. What a command cannot
 * say is left out. Its argument is the virtual IP; empty where there is none.
 */
export const lookScript = `${shellLibrary}
vip=$1
fact() { printf 'fact\\t%s\\t%s\\n' "$1" "$2"; }
encoded() { base64 -w0 <"$1"; }

fact clock "$(date +%s%3N)"
[ ! -r /etc/machine-id ] || fact machine-id "$(cat /etc/machine-id)"
[ ! -f ${markFile} ] || fact mark "$(encoded ${markFile})"

[ ! -f ${kubernetesFolder}/pki/ca.crt ] || fact ca "$(encoded ${kubernetesFolder}/pki/ca.crt)"
for name in pki/ca.key admin.conf kubelet.conf; do
  [ ! -e "${kubernetesFolder}/$name" ] || fact there "$name"
done
[ ! -d /var/lib/etcd/member ] || fact there etcd
if [ -d ${kubernetesFolder}/pki ]; then
  find ${kubernetesFolder}/pki -name '*.crt' -type f | sort | while read -r path; do
    case \${path##*/} in ca.crt | front-proxy-ca.crt) kind=authority ;; *) kind=certificate ;; esac
    fact "$kind" "$(encoded "$path")"
  done
fi
# That of the kubelet is its own to renew.
for name in admin super-admin controller-manager scheduler; do
  [ -f ${kubernetesFolder}/"$name".conf ] || continue
  client=$(sed -n 's/^ *client-certificate-data: *"*\\([^"]*\\)"*$/\\1/p' ${kubernetesFolder}/"$name".conf | head -n 1)
  [ -z "$client" ] || fact certificate "$client"
done
if [ -f ${kubernetesFolder}/kubelet.conf ] &&
  ! grep -Eq 'client-certificate: *"?/var/lib/kubelet/pki/kubelet-client-current.pem' ${kubernetesFolder}/kubelet.conf; then
  fact there fixed-kubelet-client
fi
[ ! -f ${kubeletConfigFile} ] || fact kubelet-config "$(encoded ${kubeletConfigFile})"
[ ! -f ${kubeletFlagsFile} ] || fact kubelet-flags "$(encoded ${kubeletFlagsFile})"
for path in ${kubernetesFolder}/manifests/*.yaml; do
  [ -f "$path" ] || continue
  image=$(sed -n '/^ *image: */{s///;p;q}' "$path")
  fact "static-pod $(basename -- "$path" .yaml)" "\${image##*:}"
done
manifest=${kubernetesFolder}/manifests/kube-vip.yaml
[ ! -f "$manifest" ] || fact kube-vip "$(sha256sum <"$manifest" | cut -d' ' -f1)"
if [ -n "$(ls -A ${patchesFolder} 2>/dev/null)" ]; then
  fact patches "$( (cd ${patchesFolder} && sha256sum -- *) | sha256sum | cut -d' ' -f1)"
fi

if has kubeadm; then fact version-kubeadm "$(kubeadm version -o short 2>/dev/null || true)"; fi
if has kubelet; then fact version-kubelet "$(kubelet --version 2>/dev/null || true)"; fi
if has containerd; then fact version-containerd "$(containerd --version 2>/dev/null || true)"; fi

fact arch "$(uname -m)"
if [ -n "$vip" ] && has ip; then
  interface=$(ip -o route get "$vip" 2>/dev/null | sed -n 's/.* dev \\([^ ]*\\).*/\\1/p' | head -n 1 || true)
  own=$(ip -o addr show 2>/dev/null | awk -v address="$vip" '{ split($4, part, "/"); if (part[1] == address) print $2 }' | head -n 1 || true)
  [ -z "$own" ] || fact there vip
  # A holder reaches it by its loopback.
  [ "$interface" != lo ] || interface=$own
  [ -z "$interface" ] || fact vip-interface "$interface"
fi
`
