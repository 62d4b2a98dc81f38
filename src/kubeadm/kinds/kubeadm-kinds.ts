import { etcdKind } from './etcd/etcd-kind.ts'
import { hostKind } from './host/host-kind.ts'
import { kubeVipKind } from './kube-vip/kube-vip-kind.ts'
import type { KubeadmKind } from './kubeadm-kind.ts'
import { kubeletKind } from './kubelet/kubelet-kind.ts'
import { kubernetesKind } from './kubernetes/kubernetes-kind.ts'
import { nodeKind } from './node/node-kind.ts'

type KubeadmKindName = 'host' | 'node' | 'etcd' | 'kubernetes' | 'kubelet' | 'kube-vip'

/** By name. What goes over all kinds takes a table, so that a test can add a kind of its own. */
export type KubeadmKindTable = Readonly<Record<string, KubeadmKind>>

/** Every kind of what kubeadm makes of hosts, in the order in which people read a plan. */
export const kubeadmKinds: Readonly<Record<KubeadmKindName, KubeadmKind>> = {
  host: hostKind,
  node: nodeKind,
  etcd: etcdKind,
  kubernetes: kubernetesKind,
  kubelet: kubeletKind,
  'kube-vip': kubeVipKind,
}
