import type { KubeObject } from '../kubernetes/model/kube-object.ts'
import { valueAt } from '../kubernetes/model/read-json.ts'
import { SimKubernetes } from '../kubernetes/sim-kubernetes.ts'
import type { Kubernetes, KubernetesOptions } from './kubernetes-port.ts'

/** The sandbox's Kubernetes, in the shape that simulated nodes use it. */
export function createSimKubernetes(options: KubernetesOptions): Kubernetes {
  const kubernetes = new SimKubernetes({ ...options, dns: false })
  const { store } = kubernetes.context
  return {
    serve: (...where) => kubernetes.serve(...where),
    registerNode: (node, ended) => kubernetes.registerNode(node, ended),
    createMissing: (objects) => kubernetes.createMissing(objects),
    nodeDown: (name) => kubernetes.nodeDown(name),
    nodeCidrs: () =>
      store.list('nodes').flatMap((node) => {
        const cidr = valueAt(node, 'spec', 'podCIDR')
        return typeof cidr === 'string' ? [cidr] : []
      }),
    nodeReady: (name) => isReady(store.get('nodes', name)),
    knowsNode: (name) => kubernetes.knowsNode(name),
    content: () => kubernetes.content(),
    writes: () => store.version,
    close: () => kubernetes.close(),
    watchNodes: (notify) => {
      store.subscribe(({ resource, object, before }) => {
        if (resource === 'nodes' && isReady(object) !== isReady(before)) notify()
      })
    },
  }
}

function isReady(node: KubeObject | undefined): boolean {
  const conditions = valueAt(node, 'status', 'conditions')
  if (!Array.isArray(conditions)) return false
  return conditions.some(
    (condition) =>
      valueAt(condition, 'type') === 'Ready' && valueAt(condition, 'status') === 'True',
  )
}
