/** What a machine config configures of Kubernetes on a node, in the order in which it is looked at. */
export const nodeComponents = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
] as const
export type NodeComponent = (typeof nodeComponents)[number]
