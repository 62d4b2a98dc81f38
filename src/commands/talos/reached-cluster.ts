import { ClusterError } from '../../lib/cluster-error.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import type { TalosRole } from '../../talos/config/talosconfig.ts'
import type { NodeGates, StopVerb } from './gates-under-lock.ts'

/** Which nodes are spoken with, and as whom. */
export interface TalosTarget {
  /** The cluster whose state says where its nodes are and holds the secrets to mint credentials from. */
  readonly file?: ClusterFile | undefined
  /** Credentials that somebody has already: neither the state nor Hetzner is asked then. */
  readonly talosconfig?: GivenTalosconfig | undefined
  /** Names or addresses; what is meant when none is given is up to what is asked. */
  readonly nodes: readonly string[]
  /** Addresses to go through instead of dialling each node itself. */
  readonly endpoints: readonly string[]
  /** The least that does. */
  readonly role: TalosRole
}

export interface GivenTalosconfig {
  readonly path: string
  readonly text: string
  readonly context: string | undefined
}

/** A node with everything that it can be asked. */
export interface ReachedNode {
  /** Its name, or the address that it was named by. */
  readonly name: string
  readonly api: TalosApi
  /** The same as os:admin, for what turns out to need that; the given credentials where they were given. */
  readonly asAdmin: () => TalosApi
  /** What the state has of it; absent where there is no cluster file to go by. */
  readonly recorded?: InventoryNode | undefined
}

/** Private addresses of all nodes of a cluster. */
export interface ClusterAddresses {
  readonly controlPlanes: readonly string[]
  readonly workers: readonly string[]
}

type EditNode = (
  title: string,
  name: string,
  edit: (known: InventoryNode) => InventoryNode,
) => Promise<void>

/** A cluster within reach. */
export interface ReachedCluster {
  /** Those that were named; all where none was. */
  readonly nodes: readonly ReachedNode[]
  /** Those that were named; every control plane where none was. Never empty. */
  readonly controlPlanes: readonly [ReachedNode, ...ReachedNode[]]
  /** Those that were named; empty where none was. */
  readonly named: readonly ReachedNode[]
  addresses(): Promise<ClusterAddresses>
  /**
   * Takes the cluster's lock until the cluster is reached no more, for these nodes to be stopped. Absent where there is
   * no cluster file to go by.
   */
  readonly gates?: ((nodes: readonly string[], verb: StopVerb) => Promise<NodeGates>) | undefined
  /** Changes what the state has of a node. Absent where there is no cluster file to go by. */
  readonly edit?: EditNode | undefined
}

/** For what makes sense with one node alone. Throws `usage`. */
export function onlyNode(nodes: readonly ReachedNode[]): ReachedNode {
  const [node, ...others] = nodes
  if (node && others.length === 0) return node
  throw new ClusterError('usage', node ? 'this is for one node alone' : 'no node is named', {
    hint: 'Name one with --nodes.',
  })
}

/** For what nobody should do to a node that they did not name. Throws `usage`. */
export function namedNodes({ named }: ReachedCluster): readonly [ReachedNode, ...ReachedNode[]] {
  const [first, ...others] = named
  if (first) return [first, ...others]
  throw new ClusterError('usage', 'no node is named', { hint: 'Name it with --nodes.' })
}
