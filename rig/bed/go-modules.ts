const kubernetes = 'k8s.io/kubernetes/cmd'
const plugins = 'github.com/containernetworking/plugins/plugins'

/** The newest Talos with Kubernetes 1.35.4 and all that stands beside them: one graph, compiled once. */
export const talos113 = {
  folder: 'talos-1.13',
  uses: ['stubs/userns'],
  kubernetes: '1.35.4',
  programs: {
    machined: 'github.com/siderolabs/talos/internal/app/machined',
    containerd: 'github.com/containerd/containerd/v2/cmd/containerd',
    'containerd-shim-runc-v2': 'github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2',
    etcd: 'go.etcd.io/etcd/server/v3',
    etcdutl: 'go.etcd.io/etcd/etcdutl/v3',
    bridge: `${plugins}/main/bridge`,
    firewall: `${plugins}/meta/firewall`,
    'host-local': `${plugins}/ipam/host-local`,
    loopback: `${plugins}/main/loopback`,
    portmap: `${plugins}/meta/portmap`,
    ptp: `${plugins}/main/ptp`,
    'kube-apiserver': `${kubernetes}/kube-apiserver`,
    'kube-controller-manager': `${kubernetes}/kube-controller-manager`,
    'kube-scheduler': `${kubernetes}/kube-scheduler`,
    kubelet: `${kubernetes}/kubelet`,
    'kube-proxy': `${kubernetes}/kube-proxy`,
    kubectl: `${kubernetes}/kubectl`,
    kubeadm: `${kubernetes}/kubeadm`,
    talosctl: 'github.com/siderolabs/talos/cmd/talosctl',
  },
}

/**
 * What hosts are upgraded to: the source of the newest Kubernetes under the name of the next patch release. Its programs
 * are linked again, and nothing is compiled for them.
 */
export const nextPatch = {
  ...talos113,
  kubernetes: '1.35.5',
  programs: {
    'kube-apiserver': talos113.programs['kube-apiserver'],
    'kube-controller-manager': talos113.programs['kube-controller-manager'],
    'kube-scheduler': talos113.programs['kube-scheduler'],
    'kube-proxy': talos113.programs['kube-proxy'],
    kubelet: talos113.programs.kubelet,
    kubeadm: talos113.programs.kubeadm,
    kubectl: talos113.programs.kubectl,
  },
}

/** The Talos before it: machined alone; containerd and etcd are those of the newest. */
export const talos112 = {
  folder: 'talos-1.12',
  uses: ['stubs/userns'],
  programs: { machined: 'github.com/siderolabs/talos/internal/app/machined' },
}

/** The Kubernetes before it. */
export const kubernetes134 = {
  folder: 'kubernetes-1.34',
  kubernetes: '1.34.4',
  programs: {
    'kube-apiserver': `${kubernetes}/kube-apiserver`,
    'kube-controller-manager': `${kubernetes}/kube-controller-manager`,
    'kube-scheduler': `${kubernetes}/kube-scheduler`,
    kubelet: `${kubernetes}/kubelet`,
    'kube-proxy': `${kubernetes}/kube-proxy`,
  },
}

export const runcWrapper = { folder: 'runc-wrapper', programs: { runc: '.' } }

/** What is asked on hosts, and stands in the image of etcd. */
export const hostTools = {
  folder: 'host-tools',
  programs: {
    crictl: 'sigs.k8s.io/cri-tools/cmd/crictl',
    etcdctl: 'go.etcd.io/etcd/etcdctl/v3',
  },
}

export const trustClock = { folder: 'trust-clock', programs: { 'trust-clock': '.' } }

export const pause = { folder: 'pause', programs: { pause: '.' } }

export const coredns = { folder: 'coredns', programs: { coredns: '.' } }

/** What the stand-in charts start on real nodes. */
export const standIns = { folder: 'standins', programs: { standins: '.' } }
