import type { Change } from '../plan/change.ts'
import type { RecordKey } from '../plan/record.ts'

/** How many workers of a pool are changed at once where none reboots: a kubelet may restart all the same. */
const lanes = 8

/**
 * Updates of workers one after the other where they reboot: what runs in a pool may not lose two at a time.
 * Those that do not are several at once. Control planes have an order of their own.
 */
export function chainNodeUpdates(changes: readonly Change[]): Change[] {
  const queues = new Map<string, RecordKey[]>()
  return changes.map((change) => {
    if (change.action !== 'update' || change.after?.kind !== 'node') return change
    if (change.after.spec['role'] === 'control-plane') return change
    const isLive = change.risk === 'live'
    const name = isLive ? `${poolOf(change)} live` : poolOf(change)
    const queue = queues.get(name) ?? []
    queues.set(name, [...queue, change.key])
    const previous = queue.at(isLive ? -lanes : -1)
    return previous ? { ...change, needs: [...change.needs, previous] } : change
  })
}

/** `demo-workers-12` belongs to `demo-workers`. */
function poolOf({ key }: Change): string {
  return key.replace(/-\d+$/, '')
}
