import { firewallFile, kubernetesFolder, stoppedFolder } from '../config/kubeadm-paths.ts'
import { forgetSource } from '../host/checks/firewall.ts'

/**
 * What is done on a host with kubeadm. Each is bash for a job that runs as root; its first argument is kubeadm's file, which
 * holds secrets: it stands in memory, and goes when the job ends. No exit code proves that it is done: that is asked
 * afterwards.
 */
const withFile = `
umask 077
config=$(mktemp /run/hcloud-talos-kubeadm.XXXXXXXXXX)
trap 'rm -f -- "$config"' EXIT
printf '%s' "$1" >"$config"
shift
umask 022
`

const validated = `${withFile}
kubeadm config validate --config "$config"
`

/** Makes the first control plane, its authority and the keys that others join with. */
export const initScript = `${validated}
kubeadm init --config "$config"
`

/** Uploads the keys of the control plane, encrypted with the certificate key of the file; ends what a former key was good for. */
export const uploadCertsScript = `${validated}
kubeadm init phase upload-certs --upload-certs --config "$config"
`

/**
 * Prints a kubeconfig with a key that is made for it and written nowhere: never run it as a job, which keeps what is
 * printed. After the file: whom it is for, the group, and how long it is good for.
 */
export const userKubeconfigScript = `${withFile}
kubeadm kubeconfig user --config "$config" --client-name "$1" --org "$2" --validity-period "$3"
`

/** Makes a host a node of the cluster that the file names. */
export const joinScript = `${validated}
kubeadm join --config "$config"
`

/**
 * Takes from a host what kubeadm, the kubelet and pod networks left on it. kube-vip goes first: without its kubelet it would
 * keep the address. What cannot be removed is seen afterwards, not here: a folder that is a disk of its own is emptied, and
 * stays.
 */
export const resetScript = `${withFile}
stop_vip() {
  rm -f -- ${kubernetesFolder}/manifests/kube-vip.yaml
  command -v crictl >/dev/null || return 0
  crictl ps --name '^kube-vip$' --quiet | xargs -r crictl stop
}
stop_vip || true
if command -v kubeadm >/dev/null; then kubeadm reset --config "$config"; fi
systemctl stop kubelet || true
for path in ${kubernetesFolder}/pki ${kubernetesFolder}/manifests ${kubernetesFolder}/patches ${kubernetesFolder}/*.conf ${stoppedFolder} \\
  /var/lib/etcd /var/lib/kubelet /etc/cni/net.d /var/lib/cni /var/run/cilium /var/run/flannel; do
  [ ! -e "$path" ] || rm -rf --one-file-system -- "$path" || true
done
if command -v ip >/dev/null; then
  for link in cilium_host cilium_net cilium_vxlan cni0 flannel.1; do
    ip link delete "$link" 2>/dev/null || true
  done
fi
rm -rf -- /root/.kube/cache
${forgetSource}
if [ -f ${firewallFile} ]; then
  while read -r source; do forget_source "$source" </dev/null; done <${firewallFile}
  rm -f -- ${firewallFile}
fi
`

/** A node that leaves, and whose host stays as it is: nothing of the cluster runs on it or comes back after a reboot. */
export const stopScript = `
rm -f -- ${kubernetesFolder}/manifests/kube-vip.yaml
systemctl disable --now kubelet
if command -v crictl >/dev/null; then crictl ps --quiet | xargs -r crictl stop; fi
`

/** What becomes of a host that is purged, after its reset: what we installed goes, and what others need stays. */
export const purgeScript = `
export DEBIAN_FRONTEND=noninteractive
rm -f -- /etc/apt/sources.list.d/hcloud-talos-*.list /etc/apt/keyrings/hcloud-talos-*.gpg /etc/yum.repos.d/hcloud-talos-*.repo
if command -v apt-get >/dev/null; then
  apt-mark unhold kubelet kubeadm kubectl containerd.io containerd >/dev/null 2>&1 || true
  apt-get -q -y -o DPkg::Lock::Timeout=300 purge kubelet kubeadm kubectl </dev/null
elif command -v dnf >/dev/null; then
  dnf -q -y remove kubelet kubeadm kubectl </dev/null
fi
rm -f -- /etc/sysctl.d/*hcloud-talos*.conf /etc/modules-load.d/*hcloud-talos*.conf
rm -rf -- /var/lib/hcloud-talos/files
`

/**
 * Makes a control plane take over what the cluster keeps of its configuration: a new certificate of the API server, whose
 * names may be others, and the manifests of all components, which the kubelet restarts where they differ.
 */
export const renewControlPlaneScript = `${validated}
rm -f -- ${kubernetesFolder}/pki/apiserver.crt ${kubernetesFolder}/pki/apiserver.key
kubeadm init phase certs apiserver --config "$config"
kubeadm init phase control-plane all --config "$config"
container=$(crictl ps --name '^kube-apiserver$' --quiet | head -n 1)
[ -z "$container" ] || crictl stop "$container"
`

/** Writes another ClusterConfiguration into the cluster. */
export const uploadConfigScript = `${validated}
kubeadm init phase upload-config kubeadm --config "$config"
`

/** Writes another config of kubelets into the cluster, for those that join. */
export const uploadKubeletScript = `${validated}
kubeadm init phase upload-config kubelet --config "$config"
`

/**
 * Gives the kubelet of a host its arguments and its config, as kubeadm does when it begins, and starts it again. kubeadm
 * does not wait for it, and its node stays Ready for a while without it: it must run for half a minute.
 */
export const configureKubeletScript = `${validated}
kubeadm init phase kubelet-start --config "$config"
started() { systemctl show --timestamp=utc --property=ExecMainStartTimestamp --value kubelet; }
first=$(started)
for _ in 1 2 3 4 5 6; do
  sleep 5
  state=$(systemctl is-active kubelet || true)
  if [ "$state" != active ] || [ "$(started)" != "$first" ]; then
    echo "the kubelet does not stay up with these settings: $state" >&2
    journalctl --unit kubelet --lines 20 --no-pager >&2 || true
    exit 1
  fi
done
`

/**
 * Renews every certificate of a control plane, and restarts what has read the former ones, one after the other: files alone
 * change nothing for what runs. kube-vip keeps what it read of admin.conf, too. All of it is one job, which nothing that
 * happens to a run leaves half done.
 */
export const renewCertificatesScript = `
running() { crictl ps --name "^$1$" --state running --quiet | head -n 1; }
kubeadm certs renew all
for pod in etcd kube-apiserver kube-controller-manager kube-scheduler kube-vip; do
  former=$(running "$pod")
  [ -n "$former" ] || continue
  crictl stop "$former"
  for _ in $(seq 60); do
    now=$(running "$pod" || true)
    if [ -n "$now" ] && [ "$now" != "$former" ]; then continue 2; fi
    sleep 2
  done
  echo "$pod did not start again" >&2
  exit 1
done
`

/** The first control plane of an upgrade: everything that the cluster shares, and this host. */
export const upgradeApplyScript = `${withFile}
kubeadm upgrade apply --config "$config" --yes
`

/** Every other host of an upgrade. */
export const upgradeNodeScript = `${withFile}
kubeadm upgrade node --config "$config"
`

/** Another node has left, or has another address: what we let in for it is let in no longer. */
export const forgetSourceScript = `
${forgetSource}
forget_source "$1"
if [ -f ${firewallFile} ]; then
  left=$(grep -Fxv -- "$1" ${firewallFile} || true)
  printf '%s\\n' "$left" >${firewallFile}
fi
`

/** Restarts the kubelet after its package was changed. */
export const restartKubeletScript = `
systemctl daemon-reload
systemctl restart kubelet
`
