import type { GateRequirements } from '../lib/addon-cluster.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Risk } from '../plan/change.ts'
import type { ClusterSpec, ConditionGate, CustomAddon } from '../spec/cluster-spec.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { AddonName } from '../spec/tables/addon-names.ts'
import type { AddonSurroundings } from './addon-surroundings.ts'

/** One version of a chart, and what is known of it. */
export interface ChartVersion {
  readonly version: string
  /** The oldest and the newest Kubernetes minor that its makers tested it with: `1.33`. */
  readonly kubernetes: { readonly from: string; readonly to: string }
  /** Lower-case hex SHA-256 of the tgz that the repository serves. */
  readonly sha256: string
}

/** What is known of a cluster besides its spec, and is public. */
export interface AddonFacts {
  readonly uid: string
}

/** How it is known that an addon does its work, once its objects were applied. */
export type Probe =
  /** Its workloads are complete, a DaemonSet only with at least one pod. */
  | { readonly type: 'workloads' }
  /** Every node's CSINode lists this driver. */
  | { readonly type: 'csi-driver'; readonly driver: string }
  /** Each of these objects has its condition. */
  | { readonly type: 'conditions'; readonly objects: readonly ConditionGate[] }

/** What of usable nodes an addon brings about, and nothing else in the cluster does. */
export type NodeFitness = Exclude<keyof GateRequirements, 'nodes'>

/** What an addon is for whatever applies, removes or names addons: pure data. An addon without one of its parts does not compile. */
export interface AddonTraits {
  readonly name: string
  /** For people: `Hetzner cloud controller manager`. */
  readonly title: string
  readonly namespace: string
  /** Labels of the namespace, where it is the addon's own; kube-system stays as it is. */
  readonly namespaceLabels: Readonly<Record<string, string>>
  /** Addons of the same wave are applied together, without waiting for one another. */
  readonly wave: number
  readonly needs: readonly string[]
  /** Nodes are not waited for to be this where it is not enabled. */
  readonly brings: NodeFitness | undefined
  /** Whether its pods take a token of Hetzner's API from our Secret. */
  readonly usesHetzner: boolean
  /** What its removal from a running cluster means. */
  readonly removalRisk: Risk
  readonly probes: readonly Probe[]
  /** Whether it is waited for; absent: where the cluster has a network addon of ours. */
  readonly wait?: boolean | undefined
  /** How long it is waited for, in milliseconds; absent: as for all. */
  readonly withinMs?: number
}

/** A chart in versions that were looked at, with our values. Its functions take the spec of one mode, and are pure. */
export interface Addon<Spec extends CommonSpec = ClusterSpec> extends AddonTraits {
  readonly needs: readonly AddonName[]
  /** The chart's name, also that of the release it is rendered as. */
  readonly chart: string
  /** Base URL of a classic chart repository. */
  readonly repository: string
  /** Newest first. */
  readonly versions: readonly ChartVersion[]
  enabled(spec: Spec): boolean
  /** Our values; the user's are merged over them. Never a secret. */
  values(spec: Spec, facts: AddonFacts): JsonObject
  userValues(spec: Spec): Readonly<Record<string, unknown>>
}

/**
 * An addon of the catalogue, for every mode: what its values take of nodes and their network it is given. With that it
 * becomes an addon of one mode.
 */
export interface CatalogueAddon extends Omit<Addon<CommonSpec>, 'values'> {
  values(
    spec: CommonSpec,
    facts: AddonFacts & { readonly surroundings: AddonSurroundings },
  ): JsonObject
}

/** An addon that the cluster file brings: any chart, or manifests. */
export interface BroughtAddon extends AddonTraits {
  readonly custom: CustomAddon
  enabled(): boolean
}

export type AnyAddon<Spec extends CommonSpec = ClusterSpec> = Addon<Spec> | BroughtAddon
