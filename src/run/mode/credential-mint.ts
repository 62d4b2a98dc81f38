import type { HandedOutKind } from '../../planner/handed-out.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { RunContext } from '../run-context.ts'
import type { StateSession } from '../state-session.ts'

/** Mints credentials for people, of which nothing is stored. */
export interface CredentialMint<S extends StateSession, V extends KnownCluster, Minted> {
  /** What people are given, and in which role where there are several. */
  readonly what: HandedOutKind
  readonly role?: string | undefined
  /** They are good for as many hours, unless what they come from ends before. Throws `certificate-ended`. */
  mint(
    context: RunContext,
    from: CredentialSource<S, V>,
    hours: number,
  ): Promise<MintedUntil<Minted>>
}

export interface AdminCredentials {
  /** All of them are secrets: written to files that only their owner can read, never printed into a log. */
  readonly kubeconfig: string
  /** Undefined where nodes are not reached by one. */
  readonly talosconfig?: string | undefined
}

export interface MintedUntil<Minted> {
  readonly minted: Minted
  /** When they end, in milliseconds. */
  readonly until: number
}

export interface CredentialSource<S extends StateSession, V extends KnownCluster> {
  /** The way to whoever signs, where that is not the state; undefined where only the state was read. */
  readonly session: S | undefined
  readonly spec: S['spec']
  readonly store: StateStore
  readonly generation: Generation
  /** Undefined where only the state was read. */
  readonly view: V | undefined
}
