import type { GateRequirements } from '../lib/addon-cluster.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Risk } from '../plan/change.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'

export const addonNames = ['cilium', 'hcloud-ccm', 'csr-approver', 'hcloud-csi'] as const
export type AddonName = (typeof addonNames)[number]

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

/** What of usable nodes an addon brings about, and nothing else in the cluster does. */
export type NodeFitness = Exclude<keyof GateRequirements, 'nodes'>

/**
 * Everything about one addon: pure data and functions of the spec. Whatever plans, applies, removes or names addons
 * goes over the catalogue of these: an addon without one of its parts does not compile.
 */
export interface Addon {
  readonly name: string
  /** For people: `Hetzner cloud controller manager`. */
  readonly title: string
  /** The chart's name, also that of the release it is rendered as. */
  readonly chart: string
  /** Base URL of a classic chart repository. */
  readonly repository: string
  /** Newest first. */
  readonly versions: readonly ChartVersion[]
  readonly namespace: string
  /** Labels of the namespace, where it is the addon's own; kube-system stays as it is. */
  readonly namespaceLabels: Readonly<Record<string, string>>
  /** Addons of the same wave are applied together, without waiting for one another. */
  readonly wave: number
  readonly needs: readonly AddonName[]
  /** Nodes are not waited for to be this where it is not enabled. */
  readonly brings: NodeFitness | undefined
  /** Whether its pods take a token of Hetzner's API from our Secret. */
  readonly usesHetzner: boolean
  /** What its removal from a running cluster means. */
  readonly removalRisk: Risk
  readonly probes: readonly Probe[]
  enabled(spec: ClusterSpec): boolean
  /** Our values; the user's are merged over them. Never a secret. */
  values(spec: ClusterSpec, facts: AddonFacts): JsonObject
  userValues(spec: ClusterSpec): Readonly<Record<string, unknown>>
}
