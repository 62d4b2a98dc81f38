import type { KubeObject } from '../model/kube-object.ts'
import { flagAt, objectsAt, textAt } from '../model/read-json.ts'
import { ageCell, type Column } from './column.ts'

export const nodeColumns: readonly Column[] = [
  { name: 'Name', cell: ({ metadata }) => metadata.name },
  { name: 'Status', cell: nodeStatus },
  { name: 'Roles', cell: roles },
  { name: 'Age', cell: ageCell },
  { name: 'Version', cell: (node) => textAt(node, 'status', 'nodeInfo', 'kubeletVersion') },
  { name: 'Internal-IP', priority: 1, cell: (node) => address(node, 'InternalIP') },
  { name: 'External-IP', priority: 1, cell: (node) => address(node, 'ExternalIP') },
  { name: 'OS-Image', priority: 1, cell: (node) => info(node, 'osImage') },
  { name: 'Kernel-Version', priority: 1, cell: (node) => info(node, 'kernelVersion') },
  { name: 'Container-Runtime', priority: 1, cell: (node) => info(node, 'containerRuntimeVersion') },
]

function nodeStatus(node: KubeObject): string {
  const ready = objectsAt(node, 'status', 'conditions').find(
    (condition) => textAt(condition, 'type') === 'Ready',
  )
  const word =
    ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady'
  return flagAt(node, 'spec', 'unschedulable') ? `${word},SchedulingDisabled` : word
}

function roles({ metadata }: KubeObject): string {
  const prefix = 'node-role.kubernetes.io/'
  const found = Object.keys(metadata.labels ?? {})
    .filter((label) => label.startsWith(prefix))
    .map((label) => label.slice(prefix.length))
  return found.length === 0 ? '<none>' : found.sort().join(',')
}

function address(node: KubeObject, type: string): string {
  const found = objectsAt(node, 'status', 'addresses').find((one) => textAt(one, 'type') === type)
  return found === undefined ? '<none>' : textAt(found, 'address')
}

function info(node: KubeObject, name: string): string {
  return textAt(node, 'status', 'nodeInfo', name) || '<unknown>'
}
