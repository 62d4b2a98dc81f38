import type { Change } from '../plan/change.ts'
import type { RecordKey } from '../plan/record.ts'

/**
 * Updates of workers one after the other: each may reboot its node, and what runs in a pool may not lose
 * two at a time. Control planes have an order of their own.
 */
export function chainNodeUpdates(changes: readonly Change[]): Change[] {
  const last = new Map<string, RecordKey>()
  return changes.map((change) => {
    if (change.action !== 'update' || change.after?.kind !== 'node') return change
    if (change.after.spec['role'] === 'control-plane') return change
    const pool = poolOf(change)
    const previous = last.get(pool)
    last.set(pool, change.key)
    return previous ? { ...change, needs: [...change.needs, previous] } : change
  })
}

/** `demo-workers-12` belongs to `demo-workers`. */
function poolOf({ key }: Change): string {
  return key.replace(/-\d+$/, '')
}
