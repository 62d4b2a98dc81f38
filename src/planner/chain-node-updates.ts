import type { Change } from '../plan/change.ts'
import { partOf, type RecordKey } from '../plan/record.ts'

/** How many workers of a pool are changed at once where nothing on them restarts. */
const liveLanes = 8

/**
 * In which order workers that run get their configs: the first of each pool goes alone, and the others follow
 * only when it is healthy. Where nothing restarts, pools do not wait for one another and several follow at once.
 * What restarts components or the node goes through one line for the whole cluster: after the control planes, which
 * have an order of their own, the first of each pool, one after the other, then the rest, `maxUnavailable` at a time.
 */
export function chainNodeUpdates(changes: readonly Change[], maxUnavailable: number): Change[] {
  const updates = changes.filter(isWorkerUpdate)
  const follows = new Map<RecordKey, RecordKey>()
  const isLive = ({ risk }: Change) => risk === 'live'
  for (const pool of poolsOf(updates.filter(isLive))) chain(pool, liveLanes, follows)
  const pools = poolsOf(updates.filter((change) => !isLive(change)))
  const first = pools.flatMap(([one]) => one ?? [])
  const rest = pools.flatMap((pool) => pool.slice(1))
  for (const [index, change] of first.entries()) {
    const previous = first[index - 1]
    if (previous) follows.set(change.key, previous.key)
  }
  const last = first.at(-1)
  // Where a control plane goes or is replaced, that waits for the workers: one of the two must be first.
  const controlPlanes = changes.some(takesControlPlane)
    ? []
    : changes.filter(isControlPlaneUpdate).map(({ key }) => key)
  if (last) chain([last, ...rest], maxUnavailable, follows)
  return changes.map((change) => {
    const previous = follows.get(change.key)
    if (previous) return { ...change, needs: [...change.needs, previous] }
    // One that nobody has seen work yet goes alone.
    if (change !== first[0] || controlPlanes.length === 0) return change
    return { ...change, needs: [...change.needs, ...controlPlanes] }
  })
}

/** The first alone, then in so many lanes. */
function chain(
  [first, ...rest]: readonly Change[],
  lanes: number,
  follows: Map<RecordKey, RecordKey>,
): void {
  for (const [index, { key }] of rest.entries()) {
    const previous = rest[index - lanes] ?? first
    if (previous) follows.set(key, previous.key)
  }
}

function isWorkerUpdate({ action, after }: Change): boolean {
  if (action !== 'update' || !after || partOf(after) !== 'node') return false
  return after.spec['role'] !== 'control-plane'
}

function takesControlPlane({ action, after, before }: Change): boolean {
  const role = (after ?? before)?.spec['role']
  return role === 'control-plane' && (action === 'replace' || action === 'delete')
}

function isControlPlaneUpdate({ action, after, risk }: Change): boolean {
  if (action !== 'update' || risk === 'live' || !after) return false
  return partOf(after) === 'node' && after.spec['role'] === 'control-plane'
}

function poolsOf(changes: readonly Change[]): Change[][] {
  return [...Map.groupBy(changes, poolOf).values()]
}

/** `demo-workers-12` belongs to `demo-workers`. */
function poolOf({ key }: Change): string {
  return key.replace(/-\d+$/, '')
}
