import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { Generation } from '../../store/generation.ts'
import type { Diagnosis, DiagnosisArea, Look } from '../diagnosis.ts'
import type { RunContext } from '../run-context.ts'
import type { StateSession } from '../state-session.ts'

/** What a look at a cluster finds that opens nothing and changes nothing. */
export interface ClusterHealth<S extends StateSession, V extends KnownCluster> {
  /** Under what the provider is reported. */
  readonly provider: DiagnosisArea
  /** Whether the provider answers, lets the run do what it is for, and agrees with its clock. */
  diagnoseProvider(context: RunContext, session: S): Promise<readonly Diagnosis[]>
  /** What the state and the file alone say. */
  lookAtState(looks: HealthLooks<S>, generation: Generation): Promise<readonly Diagnosis[]>
  /** What the provider has of it. */
  lookAtMachines(looks: HealthLooks<S>, view: V): Promise<readonly Diagnosis[]>
  /** What was not looked at where the provider, or the state, could not be asked. */
  readonly unseen: Diagnosis
  /** Whether what is looked at inside takes the keys that the state holds. */
  readonly takesIdentity: boolean
  /** What takes the keys of the cluster, and a way to its nodes. */
  lookInside(looks: HealthLooks<S>, seen: SeenCluster<V>): Promise<readonly Diagnosis[]>
}

export interface HealthLooks<S extends StateSession> {
  readonly context: RunContext
  readonly session: S
  readonly look: Look
}

export interface SeenCluster<V extends KnownCluster> {
  readonly generation: Generation
  /** What the provider and the state say; undefined where one of the two could not be asked. */
  readonly observed: V | undefined
}
