import type { ClusterError } from '../lib/cluster-error.ts'
import type { StateAudit } from '../store/audit-state.ts'
import type { Generation } from '../store/generation.ts'
import type { StateAnchor } from '../store/refuse-older.ts'
import { isStateDamage } from '../store/state-damage.ts'
import type { StateStore } from '../store/state-store.ts'

/** What stands on the state branch in the place of a cluster: nothing, a state, or something that is not believed. */
export type PresentState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'believed'; readonly generation: Generation }
  | { readonly kind: 'damaged'; readonly error: ClusterError; readonly audit: StateAudit }

/** Reads what is there, and audits the branch where that is not believed. Throws what else reading does. */
export async function readPresentState(store: StateStore): Promise<PresentState> {
  try {
    const generation = await store.read()
    return generation ? { kind: 'believed', generation } : { kind: 'absent' }
  } catch (error) {
    if (!isStateDamage(error)) throw error
    return { kind: 'damaged', error, audit: await store.audit() }
  }
}

/** The furthest of what is known of a state from several sides; undefined where none knows anything. */
export function furthest(known: readonly [StateAnchor, ...(StateAnchor | undefined)[]]): StateAnchor
export function furthest(known: readonly (StateAnchor | undefined)[]): StateAnchor | undefined
export function furthest(known: readonly (StateAnchor | undefined)[]): StateAnchor | undefined {
  const all = known.filter((each) => each !== undefined)
  if (all.length === 0) return undefined
  return {
    generation: Math.max(...all.map(({ generation }) => generation)),
    keyEpoch: Math.max(...all.map(({ keyEpoch }) => keyEpoch)),
  }
}
