import type { Change } from '../plan/change.ts'
import type { RecordKey } from '../plan/record.ts'

/**
 * Updates of nodes one after the other: each may reboot its node, and neither etcd nor what runs in a
 * pool may lose two at a time. Control planes are one queue, each pool of workers another.
 */
export function chainNodeUpdates(changes: readonly Change[]): Change[] {
  const last = new Map<string, RecordKey>()
  return changes.map((change) => {
    if (change.action !== 'update' || change.after?.kind !== 'node') return change
    const queue = queueOf(change)
    const previous = last.get(queue)
    last.set(queue, change.key)
    return previous ? { ...change, needs: [...change.needs, previous] } : change
  })
}

/** `demo-workers-12` belongs to the queue of `demo-workers`. */
function queueOf({ after, key }: Change): string {
  return after?.spec['role'] === 'control-plane' ? 'etcd' : key.replace(/-\d+$/, '')
}
