import type { ClusterError } from '../lib/cluster-error.ts'
import type { ErrorCode } from '../lib/error-codes.ts'
import type { Generation } from '../store/generation.ts'
import type { StateStore } from '../store/state-store.ts'
import type { StateAudit } from '../store/trust/audit-state.ts'
import type { StateAnchor } from '../store/trust/refuse-older.ts'
import { isStateDamage } from '../store/trust/state-damage.ts'

/** What stands on the state branch in the place of a cluster: nothing, a state, or something that is not believed. */
export type PresentState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'believed'; readonly generation: Generation }
  | { readonly kind: 'damaged'; readonly error: ClusterError; readonly audit: StateAudit }

/**
 * Reads what is there, and audits the branch where that is not believed. Throws what else reading does, and also what
 * says that the cluster file is wrong rather than the state: it names another repository, other keys, or a branch on
 * which this cluster never was.
 */
export async function readPresentState(store: StateStore): Promise<PresentState> {
  try {
    const generation = await store.read()
    return generation ? { kind: 'believed', generation } : { kind: 'absent' }
  } catch (error) {
    if (!isStateDamage(error) || error.code === 'state-other-repository') throw error
    const audit = await store.audit()
    const isKnown = audit.newest !== undefined || audit.ended !== undefined
    if (!isKnown && aboutTheFile.includes(error.code)) throw error
    return { kind: 'damaged', error, audit }
  }
}

const aboutTheFile: readonly ErrorCode[] = [
  'state-foreign',
  'state-signer-unknown',
  'state-epoch-unknown',
]

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
