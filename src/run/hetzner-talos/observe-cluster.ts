import type { HetznerClient } from '../../hetzner/api/hetzner-client.ts'
import { knownResources } from '../../hetzner/known-resources.ts'
import { type HetznerLive, observeHetzner } from '../../hetzner/observe.ts'
import { placeNodes } from '../../hetzner/place-nodes.ts'
import { foreignAddresses } from '../../hetzner/surroundings.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { allocateNodes } from '../../plan/allocate-nodes.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import { withSecretVersions } from '../../spec/secret-references.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateStore } from '../../store/state-store.ts'
import { refuseOlder } from '../../store/trust/refuse-older.ts'
import { stateDamage } from '../../store/trust/state-damage.ts'
import { withKeptContract } from '../../talos/kept-contract.ts'
import { lostState } from '../cluster-unknown.ts'
import type { ReadCluster } from '../mode/machine-provider.ts'
import { viewSecrets } from '../named-secrets.ts'
import type { RunContext } from '../run-context.ts'
import { connectHetzner } from './cluster-session.ts'
import { openConfigs } from './open-configs.ts'

/**
 * Reads the state branch and Hetzner; changes nothing. Throws `state-missing` when the project has
 * resources of a cluster of this name and the branch knows nothing of it: a missing state is never
 * taken for a new cluster. Throws `state-rolled-back` when Hetzner remembers a later generation, and
 * `state-other-cluster` when what is there belongs to another cluster of this name. `environment` are secrets that an
 * apply is given: it takes them up.
 */
export async function observeCluster(
  spec: ClusterSpec,
  store: StateStore,
  hetzner: HetznerClient,
  environment: NamedSecrets = new Map(),
): Promise<ClusterView> {
  const generation = await store.read()
  const neighbours = generation ? undefined : await store.clusters()
  const live = await observeHetzner(hetzner, {
    clusterName: spec.clusterName,
    uid: generation?.inventory.uid,
    known: generation && knownResources(generation.inventory),
    network: spec.hetzner.network,
  })
  if (generation) refuseOtherState(generation, live)
  else refuseOrphans(spec, live)
  const { secrets, versions } = await viewSecrets(spec, generation, { store, environment })
  return {
    spec: withKeptContract(withSecretVersions(spec, versions), generation?.inventory),
    secrets,
    generation,
    neighbours,
    openedConfigs: generation && (await openConfigs(store, generation)),
    hetzner: live,
    nodes: placeNodes(
      spec,
      allocateNodes(spec, generation?.inventory, foreignAddresses(live.surroundings, live.ids)),
      live.records,
    ),
  }
}

/** A state that was once right and is not any more: an older one, or that of a cluster which is gone. */
function refuseOtherState(generation: Generation, live: HetznerLive): void {
  refuseRolledBack(generation, live)
  refuseOtherCluster(generation, live)
}

/** Throws `state-rolled-back` for a state older than Hetzner remembers. */
export function refuseRolledBack(generation: Generation, { anchor }: HetznerLive): void {
  if (anchor) refuseOlder(generation, anchor, 'Hetzner remembers')
}

/** Throws `state-other-cluster` for the state of another cluster of this name than the one that is there. */
export function refuseOtherCluster(generation: Generation, live: HetznerLive): void {
  const { cluster, uid } = generation.manifest
  const stranger = live.foreign.find(({ claimsCluster, isMarked }) => claimsCluster && !isMarked)
  if (!stranger || live.records.length > 0) return
  throw stateDamage(
    'state-other-cluster',
    cluster,
    `the state is that of the cluster ${cluster} with the uid ${uid}, of which there is nothing in the project, and ${stranger.kind} ${stranger.name} (id ${stranger.id}) is of another cluster of this name`,
  )
}

/**
 * For a command that reads the state branch alone: where it knows nothing of the cluster, and there is a token, Hetzner
 * is asked whether the cluster exists. Throws `state-missing` when it does.
 */
export async function refuseLost(
  context: RunContext,
  { spec }: Pick<ReadCluster<ClusterSpec>, 'spec'>,
): Promise<void> {
  if (!context.hetznerToken) return
  const { clusterName } = spec
  refuseOrphans(
    spec,
    await observeHetzner(connectHetzner(context), { clusterName, uid: undefined }),
  )
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
      hint: lostState(clusterName, state.branch),
    },
  )
}
