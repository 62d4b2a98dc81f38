/** What kubeadm calls its own format, in Kubernetes 1.31 to 1.37. */
export const kubeadmApi = 'kubeadm.k8s.io/v1beta4'

export const criSocket = 'unix:///var/run/containerd/containerd.sock'

/** Where the patches of the file are written on every host. */
export const patchesFolder = '/etc/kubernetes/patches'
