import type { HetznerClient } from '../hetzner/api/hetzner-client.ts'
import { type HetznerLive, observeHetzner } from '../hetzner/observe.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { allocateNodes } from '../plan/allocate-nodes.ts'
import type { ClusterNode } from '../plan/cluster-node.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { Generation } from '../store/generation.ts'
import type { StateStore } from '../store/state-store.ts'

/** A cluster as it is asked for, remembered and found: all that a plan is made from. */
export interface ClusterView {
  readonly spec: ClusterSpec
  /** What the state branch remembers; undefined before the first apply. */
  readonly generation: Generation | undefined
  readonly hetzner: HetznerLive
  /** The nodes that the spec asks for, with the slots that the state gives them. */
  readonly nodes: readonly ClusterNode[]
}

/**
 * Reads the state branch and Hetzner; changes nothing. Throws `state-missing` when the project has
 * resources of a cluster of this name and the branch knows nothing of it: a missing state is never
 * taken for a new cluster.
 */
export async function observeCluster(
  spec: ClusterSpec,
  store: StateStore,
  hetzner: HetznerClient,
): Promise<ClusterView> {
  const generation = await store.read()
  const live = await observeHetzner(hetzner, {
    clusterName: spec.clusterName,
    uid: generation?.inventory.uid,
    network: spec.hetzner.network,
    countServers: spec.hetzner.serverLimit !== undefined,
  })
  if (!generation) refuseOrphans(spec, live)
  return {
    spec,
    generation,
    hetzner: live,
    nodes: allocateNodes(spec, generation?.inventory),
  }
}

function refuseOrphans({ clusterName, state }: ClusterSpec, { foreign }: HetznerLive): void {
  const orphans = foreign.filter((resource) => resource.claimsCluster)
  const [first] = orphans
  if (!first) return
  throw new ClusterError(
    'state-missing',
    `the project has ${orphans.length} resources of a cluster ${clusterName} (${first.kind} ${first.name}, id ${first.id}, …), and the branch ${state.branch} knows nothing of it`,
    {
      operation: 'read the state of',
      target: clusterName,
      hint: 'fetch or restore the state branch; if these are remains of another cluster, choose another clusterName or remove them yourself',
    },
  )
}
