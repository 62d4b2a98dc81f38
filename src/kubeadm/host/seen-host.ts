import type { JsonObject } from '../../lib/json.ts'
import type { HostEvidence } from './host-evidence.ts'

/** What a host says of itself, in one look; nothing of it is remembered. */
export interface SeenHost {
  readonly name: string
  /** What is true of it, and not, of all three steps of its preparation. */
  readonly evidence: readonly HostEvidence[]
  /** `/etc/machine-id`, by which the state knows the machine under a name. */
  readonly machineId: string
  /** In milliseconds: how far its clock is ahead of ours at least; 0 where that is not known for certain. */
  readonly clockAheadMs: number
  /** Which cluster of ours it is of, and how far that had come; written by us, so a host of others has none. */
  readonly mark: ClusterMark | undefined
  readonly traces: KubeadmTraces
}

/** What a host remembers of the cluster that it is of. */
export interface ClusterMark {
  readonly cluster: string
  readonly uid: string
  /** Of the state: an older one is refused. */
  readonly generation: number
  readonly keyEpoch: number
  /** It has left the cluster, and keeps what that left on it: nobody else's is there, so that it may be reset. */
  readonly hasLeft: boolean
}

/** What kubeadm, the kubelet and kube-vip left on a host, as its files and packages say it. */
export interface KubeadmTraces {
  /** Of `/etc/kubernetes/pki/ca.crt`: `sha256:…`, as kubeadm pins it. Undefined where there is none. */
  readonly caHash: string | undefined
  /** Whether the key of that authority is there: only control planes have it. */
  readonly hasCaKey: boolean
  /** `/etc/kubernetes/admin.conf`: begun on by kubeadm as a control plane, and not yet proof of one. */
  readonly hasAdminConf: boolean
  /** `/etc/kubernetes/kubelet.conf`: it was a node, or is one. */
  readonly hasKubeletConf: boolean
  /** Whether `/var/lib/etcd/member` is there. */
  readonly hasEtcdData: boolean
  /** Of the installed packages or files, without v. */
  readonly versions: {
    readonly kubeadm: string | undefined
    readonly kubelet: string | undefined
    readonly containerd: string | undefined
  }
  readonly arch: 'amd64' | 'arm64'
  /** The image tags of its static pods without v, by component: `{"kube-apiserver": "1.35.4"}`. */
  readonly staticPods: Readonly<Record<string, string>>
  /** SHA-256 of kube-vip's manifest in hex. */
  readonly kubeVipDigest: string | undefined
  /** SHA-256 over the patches for kubeadm in hex; undefined where there are none. */
  readonly patchesDigest: string | undefined
  /** The interface by which it reaches the virtual IP; undefined where there is no such IP, or no way to it. */
  readonly vipInterface: string | undefined
  /** Whether the virtual IP stands on one of its interfaces. */
  readonly holdsVip: boolean
  /** When the first of the certificates ends that kubeadm renews, in milliseconds since the epoch; of control planes. */
  readonly certificatesEnd: number | undefined
  /** The same of the authorities, which nothing renews. */
  readonly authoritiesEnd: number | undefined
  /** The kubelet has a client certificate that it does not renew by itself. */
  readonly hasFixedKubeletClient: boolean
  /** What kubeadm gave its kubelet; each is undefined where there is no such file, or none that can be read. */
  readonly kubelet: {
    readonly config: JsonObject | undefined
    /** By name, without its dashes. */
    readonly flags: Readonly<Record<string, string>> | undefined
  }
}
