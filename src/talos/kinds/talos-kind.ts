import type { JsonObject } from '../../lib/json.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { DiffRules } from '../../plan/diff-records.ts'
import type { Inventory, InventoryNode } from '../../plan/inventory.ts'
import type { ClusterRecord, RecordKey, RecordKind } from '../../plan/record.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { WantedImage } from '../pull-images.ts'

/**
 * Everything about one kind of what Talos holds of a cluster. Whatever desires, reads, compares, carries out or upgrades
 * goes through the table of these (talos-kinds.ts): a kind without one of its parts does not compile. What a destroy
 * does with it is no part: all of it goes with the servers and the state.
 */
export type TalosKind = AppliedKind | VersionedKind

interface KindParts {
  readonly name: RecordKind
  /** In which phase an apply changes it; `none`: an apply never does. */
  readonly phase: TalosPhase
  /** What an upgrade does with it; undefined for what none ever changes. */
  readonly upgrade: KindUpgrade | undefined
}

export type TalosPhase = 'secrets' | 'nodes' | 'etcd' | 'none'
export type UpgradePhase = 'talos' | 'kubernetes'

interface KindUpgrade {
  readonly phase: UpgradePhase
  /** What a node pulls before anything is stopped for these changes. Pure. */
  images(request: ImageRequest): readonly WantedImage[]
}

export interface ImageRequest {
  readonly spec: ClusterSpec
  readonly node: ClusterNode
  /** Keys of the records that the upgrade changes. */
  readonly planned: ReadonlySet<RecordKey>
}

/** What the file asks for, and an apply brings about. */
export interface AppliedKind extends KindParts {
  readonly comparedBy: 'apply'
  /** The records that the spec asks for. Pure. */
  desire(request: TalosRequest): readonly ClusterRecord[]
  /** What is known to be there, as records of the same form. Pure. */
  live(known: KnownParts): readonly ClusterRecord[]
  /** What a change of it means. Pure. */
  rules(situation: Situation): DiffRules
  /** Fields that wait for an upgrade. */
  readonly versionFields: ReadonlySet<string>
}

export interface TalosRequest {
  readonly spec: ClusterSpec
  readonly nodes: readonly ClusterNode[]
  /** The spec as it applies to a node, which may be to keep the versions that it runs. */
  specOf(node: ClusterNode): ClusterSpec
}

export interface KnownParts {
  readonly inventory: Inventory
  /** How the state branch keeps the secrets, to be compared; undefined where it holds none. */
  readonly secrets: JsonObject | undefined
  /** Those that have their config on the server that got it, and those that the spec no longer asks for. */
  readonly nodes: readonly InventoryNode[]
}

export interface Situation {
  /** Whether etcd was bootstrapped. */
  readonly running: boolean
}

/** What only runs in a version, which an upgrade changes: never made or removed by itself. */
export interface VersionedKind extends KindParts {
  readonly comparedBy: 'upgrade'
  /** The versions that run. Pure. */
  running(cluster: RunningCluster): readonly RunningVersion[]
  /** What the change of one means. */
  reason(name: string, situation: { readonly controlPlanes: number }): string
}

export interface RunningCluster {
  readonly spec: ClusterSpec
  readonly inventory: Inventory
  /** The nodes that stay, control planes first. */
  readonly nodes: readonly InventoryNode[]
  /** The version of the cluster, for what is not known to run any. */
  readonly from: string
}

export interface RunningVersion {
  readonly name: string
  readonly version: string
  /** The place in the order in which talosctl upgrades; those of one place keep theirs. */
  readonly turn: 'control planes' | 'kubelets' | 'manifests'
}
