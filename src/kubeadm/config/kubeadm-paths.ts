/** What kubeadm calls its own format, in Kubernetes 1.31 to 1.37. */
export const kubeadmApi = 'kubeadm.k8s.io/v1beta4'

export const criSocket = 'unix:///var/run/containerd/containerd.sock'

/** Where kubeadm keeps what it makes. */
export const kubernetesFolder = '/etc/kubernetes'

/** The manifest of the static pod that may hold the virtual IP. */
export const kubeVipFile = `${kubernetesFolder}/manifests/kube-vip.yaml`

/** Which cluster of ours a host is of. */
export const markFile = '/var/lib/hcloud-talos/cluster.json'

/** Where the patches of the file are written on every host. */
export const patchesFolder = `${kubernetesFolder}/patches`

/** Whom we let through the firewall of a host, an address or a network on each line. */
export const firewallFile = '/var/lib/hcloud-talos/firewall'

/** What all kubelets share, as kubeadm wrote it on a host. */
export const kubeletConfigFile = '/var/lib/kubelet/config.yaml'

/** The arguments of the kubelet of a host, as kubeadm wrote them. */
export const kubeletFlagsFile = '/var/lib/kubelet/kubeadm-flags.env'

/** Where the manifests of a control plane are while a restore keeps it from running. */
export const stoppedFolder = `${kubernetesFolder}/hcloud-talos-stopped`
