import type { Inventory } from '../../plan/inventory.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateChanges } from '../../store/state-changes.ts'
import type { RunContext } from '../run-context.ts'
import type { StateSession } from '../state-session.ts'

/** The state of a cluster, out of the cluster itself: for one whose branch is lost while it runs. */
export interface ClusterRecovery<S extends StateSession, V extends KnownCluster> {
  /** Throws `usage` where it takes more than was given. */
  requireWayIn(wayIn: WayIn | undefined): void
  /** The cluster as whoever makes its machines knows it. Throws `recovery-impossible`. */
  find(session: S): Promise<LostCluster<V>>
  /** Reads all that a state holds. Changes nothing. Throws `recovery-impossible` where any part cannot be read. */
  read(context: RunContext, session: S, from: RecoverySource<V>): Promise<RecoveredParts>
}

/** A cluster whose state is lost. */
export interface LostCluster<V extends KnownCluster> {
  readonly uid: string
  readonly view: V
  /** Nodes, slots and addresses. */
  readonly inventory: Inventory
}

/** What somebody still has of a cluster whose state is lost, as text. */
export type WayIn =
  | { readonly kind: 'talosconfig'; readonly text: string }
  /** The secrets of the cluster in a file of others: of `talosctl gen secrets`, or the config of a control plane. */
  | { readonly kind: 'secrets'; readonly text: string }

export interface RecoverySource<V extends KnownCluster> {
  readonly lost: LostCluster<V>
  /** Undefined where nobody has anything but the cluster file. */
  readonly wayIn: WayIn | undefined
  /** The newest state of this very cluster that the branch had, where its secrets are not of a former key. */
  readonly former: Generation | undefined
}

export type RecoveredParts = Pick<StateChanges, 'secrets' | 'namedSecrets' | 'nodeConfigs'> & {
  readonly inventory: Inventory
}
