import type { ClusterSpec } from './cluster-spec.ts'
import type { Component } from './component.ts'

/** Where the cluster file has further arguments, and whose. */
export const argumentFields = [
  { component: 'kube-apiserver', field: 'apiServerExtraArgs' },
  { component: 'kube-controller-manager', field: 'controllerManagerExtraArgs' },
  { component: 'kube-scheduler', field: 'schedulerExtraArgs' },
  { component: 'kubelet', field: 'kubeletExtraArgs' },
] as const satisfies readonly {
  readonly component: Component
  readonly field: keyof ClusterSpec['kubernetes']
}[]
