import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateSession } from '../state-session.ts'
import type { LostCluster } from './cluster-recovery.ts'

/** Taking over a cluster that other hands made, as it is; a mode that makes all of its machines has none. */
export type ClusterAdoption<S extends StateSession, V extends KnownCluster> =
  | AdoptionOfMachines<S, V>
  | {
      readonly isPossible: false
      /** Why not, as a sentence without its end, and what to do instead. */
      readonly because: string
      readonly hint: string
    }

interface AdoptionOfMachines<S extends StateSession, V extends KnownCluster> {
  readonly isPossible: true
  /**
   * The cluster as its machines and it itself show it; changes nothing. Throws `plan-refused` with all that stands in the
   * way, what the file should say instead among it.
   */
  find(session: S, by: AdoptedAs): Promise<AdoptableCluster<V>>
}

/** By what the cluster will be known. */
export interface AdoptedAs {
  readonly uid: string
  /** What the branch has of it: named secrets that were set before, or all that a run wrote which was cut off. */
  readonly generation: Generation | undefined
}

export interface AdoptableCluster<V extends KnownCluster> extends LostCluster<V> {
  /** What people are shown before they confirm it, line by line. */
  readonly shown: readonly string[]
}
