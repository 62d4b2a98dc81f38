import type { HetznerLive } from '../../hetzner/observe.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { ConfigDocument } from '../../talos/config/config-document.ts'
import type { ConfigDifference } from '../../talos/config/diff-configs.ts'
import type { KnownCluster } from '../known-cluster.ts'

/** A cluster as it is asked for, remembered and found: all that a plan is made from. */
export interface ClusterView extends KnownCluster {
  readonly spec: ClusterSpec
  readonly hetzner: HetznerLive
  /**
   * What control planes were given last, by name, where only the key opens it (`state.encrypt: all`) and this run
   * has it.
   */
  readonly openedConfigs?: ReadonlyMap<string, readonly ConfigDocument[]> | undefined
  /** Other clusters that the branch knows; looked for where it does not know this one. */
  readonly neighbours?: readonly string[] | undefined
  /** What the nodes themselves run; undefined where nobody asked them. */
  readonly running?: RunningConfigs | undefined
}

/** With their v. */
export interface NodeVersions {
  /** False where the node is not up, or Kubernetes still has that of a former server: it may run something else now. */
  readonly isCurrent: boolean
  readonly talos: string | undefined
  readonly kubelet: string
  readonly isReady?: boolean | undefined
  /** In the kubelet's words. */
  readonly notReadyBecause?: string | undefined
}

/** What the nodes themselves say of their machine configs. */
export interface RunningConfigs {
  /** The fields in which it is not the one that we gave, by name; none for a node that runs ours. */
  readonly drifts: ReadonlyMap<string, readonly ConfigDifference[]>
  /** Why a node could not be asked, by name: nothing is known of these. */
  readonly unread: ReadonlyMap<string, string>
  /** Names of nodes that were given a config and answer as ones that have none. */
  readonly maintenance?: ReadonlySet<string> | undefined
  /** What etcd raises alarms of, as sentences. */
  readonly alarms?: readonly string[] | undefined
  /** The versions that nodes report to Kubernetes, by name. */
  readonly versions?: ReadonlyMap<string, NodeVersions> | undefined
  /** Nodes that runs of ours have cordoned, each with the run. */
  readonly cordoned?: ReadonlyMap<string, string> | undefined
  /** Names of nodes that run and that Kubernetes does not know. */
  readonly unregistered?: ReadonlySet<string> | undefined
}

/** The nodes that have their config, on the server that got it, and that the spec still asks for. */
export function configuredNodes({ nodes, generation, hetzner }: ClusterView): ClusterNode[] {
  const known = new Map(generation?.inventory.nodes.map((node) => [node.name, node]))
  return nodes.filter(({ name }) => {
    const node = known.get(name)
    if (node?.configDigest === undefined) return false
    return hetzner.ids.get(`server/${name}`) === node.serverId
  })
}
