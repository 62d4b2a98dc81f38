/** The parts of Kubernetes that have a version of their own on a node, in the order in which they are upgraded. */
export const components = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
] as const
export type Component = (typeof components)[number]

/** What only control planes configure. */
export type ControlPlaneComponent = Exclude<Component, 'kubelet'>
