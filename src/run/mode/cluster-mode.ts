import type { Finding } from '../../lib/finding.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { CommonSpec } from '../../spec/common-spec.ts'
import type { ClusterFile } from '../cluster-file.ts'
import type { StateOptions } from '../open-state-store.ts'
import type { RunContext } from '../run-context.ts'
import type { StateSession } from '../state-session.ts'
import type { ClusterAddons } from './cluster-addons.ts'
import type { ClusterAdoption } from './cluster-adoption.ts'
import type { ClusterBackup } from './cluster-backup.ts'
import type { ClusterDescription } from './cluster-description.ts'
import type { ClusterHealth } from './cluster-health.ts'
import type { ClusterKeys } from './cluster-keys.ts'
import type { ClusterLife } from './cluster-life.ts'
import type { ClusterRecovery } from './cluster-recovery.ts'
import type { AdminCredentials, CredentialMint } from './credential-mint.ts'
import type { MachineProvider } from './machine-provider.ts'
import type { NodeLayer } from './node-layer.ts'

/**
 * One way to have a cluster (ADR 40): what makes its machines, what makes a machine a node, and what runs its life.
 * Whatever is done with a cluster goes through this and knows no mode. `S` is what a mode connects to, `V` what it finds.
 */
export interface ClusterMode<S extends StateSession, V extends KnownCluster> {
  /** Reads the file; asks nobody. Throws a `FindingsError` with all that is wrong with it. */
  read(file: ClusterFile): ReadFile<S['spec']>
  /** Reads the file and makes ready to ask; asks nobody yet. Close it in the end. */
  open(context: RunContext, file: ClusterFile, options?: StateOptions): Promise<S>
  readonly machines: MachineProvider<S, V>
  readonly nodes: NodeLayer<S, V>
  readonly life: ClusterLife<S, V>
  readonly description: ClusterDescription<V>
  readonly keys: ClusterKeys<S, V>
  readonly health: ClusterHealth<S, V>
  readonly backup: ClusterBackup<S, V>
  readonly recovery: ClusterRecovery<S, V>
  readonly adoption: ClusterAdoption<S, V>
  readonly addons: ClusterAddons<S, V>
  /** For whoever may do everything in a cluster. */
  readonly credentials: CredentialMint<S, V, AdminCredentials>
}

/** What planning, applying, upgrading and destroying take of a mode. */
export interface ClusterLifecycle<S extends StateSession, V extends KnownCluster>
  extends Pick<ClusterMode<S, V>, 'open' | 'nodes' | 'life'> {
  readonly machines: Omit<MachineProvider<S, V>, 'anchorGeneration' | 'askAnchor' | 'refuseLost'>
}

/** What a snapshot and a restore take of a mode beside its life. */
export type BackedUpMode<S extends StateSession, V extends KnownCluster> = ClusterLifecycle<S, V> &
  Pick<ClusterMode<S, V>, 'backup'>

/** A cluster file as its mode understands it. */
export interface ReadFile<Spec extends CommonSpec> {
  readonly spec: Spec
  /** Warnings about the file. */
  readonly findings: readonly Finding[]
}
