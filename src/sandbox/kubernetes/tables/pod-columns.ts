import type { KubeObject } from '../model/kube-object.ts'
import { flagAt, numberAt, objectAt, objectsAt, textAt } from '../model/read-json.ts'
import { ageCell, type Column } from './column.ts'

export const podColumns: readonly Column[] = [
  { name: 'Name', cell: ({ metadata }) => metadata.name },
  { name: 'Ready', cell: ready },
  { name: 'Status', cell: podStatus },
  { name: 'Restarts', kind: 'string', cell: restarts },
  { name: 'Age', cell: ageCell },
  { name: 'IP', priority: 1, cell: (pod) => textAt(pod, 'status', 'podIP') || '<none>' },
  { name: 'Node', priority: 1, cell: (pod) => textAt(pod, 'spec', 'nodeName') || '<none>' },
  { name: 'Nominated Node', priority: 1, cell: () => '<none>' },
  { name: 'Readiness Gates', priority: 1, cell: () => '<none>' },
]

function ready(pod: KubeObject): string {
  const statuses = objectsAt(pod, 'status', 'containerStatuses')
  const count = statuses.filter((status) => flagAt(status, 'ready')).length
  return `${count}/${objectsAt(pod, 'spec', 'containers').length}`
}

function restarts(pod: KubeObject): string {
  const counts = objectsAt(pod, 'status', 'containerStatuses').map(
    (status) => numberAt(status, 'restartCount') ?? 0,
  )
  return String(counts.reduce((sum, count) => sum + count, 0))
}

/** The word that kubectl shows: why a container waits or ended, before the phase itself. */
export function podStatus(pod: KubeObject): string {
  const { deletionTimestamp } = pod.metadata
  if (deletionTimestamp !== undefined) return 'Terminating'
  for (const status of objectsAt(pod, 'status', 'containerStatuses')) {
    const waiting = textAt(status, 'state', 'waiting', 'reason')
    if (waiting !== '') return waiting
    const ended = textAt(status, 'state', 'terminated', 'reason')
    if (ended !== '') return ended
  }
  return textAt(pod, 'status', 'reason') || textAt(objectAt(pod, 'status'), 'phase')
}
