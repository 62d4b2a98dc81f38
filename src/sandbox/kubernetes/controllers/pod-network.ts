import { controllerOf, type KubeObject, objectKey } from '../model/kube-object.ts'
import { flagAt, objectsAt, textAt } from '../model/read-json.ts'
import type { ClusterContext } from './cluster-context.ts'
import { isTrue } from './conditions.ts'

const names = ['cilium', 'kube-flannel', 'calico-node']

/** Whether a DaemonSet brings the pod network: by its name in kube-system, or by its label. */
function isNetwork(daemonSet: KubeObject): boolean {
  const { namespace, name, labels = {} } = daemonSet.metadata
  return (
    (namespace === 'kube-system' && names.includes(name)) ||
    labels['app.kubernetes.io/component'] === 'cni' ||
    names.includes(labels['k8s-app'] ?? '')
  )
}

/** Whether pods on this node can have addresses: the network's own pod runs there. */
export function hasNetwork({ api, pods }: ClusterContext, node: string): boolean {
  return pods.onNode(node).some((pod) => {
    const owner = controllerOf(pod)
    if (owner?.kind !== 'DaemonSet' || !isTrue(pod, 'Ready')) return false
    const daemonSet = api.store.get('daemonsets.apps', `${pod.metadata.namespace}/${owner.name}`)
    return daemonSet !== undefined && isNetwork(daemonSet)
  })
}

/** The range of pod addresses of a node: the next free /24 of the cluster's. */
export function freePodCidr({ api, podCidr }: ClusterContext): string {
  const [network = '10.244.0.0'] = podCidr.split('/')
  const [a = 0, b = 0, c = 0] = network.split('.').map(Number)
  const taken = new Set(api.store.list('nodes').map((node) => textAt(node, 'spec', 'podCIDR')))
  for (let index = 0; ; index++) {
    const third = c + index
    const range = `${a}.${b + Math.floor(third / 256)}.${third % 256}.0/24`
    if (!taken.has(range)) return range
  }
}

/** A pod's own address: its node's for the host network, the next free one of the node's otherwise. */
export function podAddress(context: ClusterContext, pod: KubeObject, node: KubeObject): string {
  const hostIp = hostAddress(node)
  if (flagAt(pod, 'spec', 'hostNetwork')) return hostIp
  const prefix = textAt(node, 'spec', 'podCIDR').replace(/\d+\/\d+$/, '')
  const taken = new Set(
    context.pods
      .onNode(node.metadata.name)
      .filter((other) => objectKey(other) !== objectKey(pod))
      .map((other) => textAt(other, 'status', 'podIP')),
  )
  for (let last = 2; last < 255; last++) {
    if (!taken.has(`${prefix}${last}`)) return `${prefix}${last}`
  }
  return `${prefix}255`
}

export function hostAddress(node: KubeObject): string {
  const addresses = objectsAt(node, 'status', 'addresses')
  return textAt(
    addresses.find((address) => textAt(address, 'type') === 'InternalIP'),
    'address',
  )
}
