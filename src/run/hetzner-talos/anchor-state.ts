import { knownResources } from '../../hetzner/known-resources.ts'
import { writeAnchor } from '../../hetzner/state-anchor.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import type { Generation } from '../../store/generation.ts'
import type { RunContext } from '../run-context.ts'
import { type ClusterSession, connectHetzner } from './cluster-session.ts'

/**
 * Makes Hetzner remember how far the state has come, so that a branch which goes back behind this moment is
 * refused from now on. Asks nobody when no generation was written since `view`.
 */
export async function anchorState(
  { spec: { clusterName }, store, hetzner }: ClusterSession,
  view: ClusterView,
): Promise<void> {
  if (!store.known) return
  const { manifest, inventory } = store.known
  const { uid, generation, keyEpoch } = manifest
  const firewallId = knownResources(inventory).ids.get(`firewall/${clusterName}`)
  await writeAnchor(
    hetzner,
    { clusterName, uid },
    { generation, keyEpoch },
    { known: view.hetzner.anchor, firewallId },
  )
}

/** The same for a generation that was read without a cluster file. */
export async function anchorGeneration(
  context: RunContext,
  { manifest, inventory }: Pick<Generation, 'manifest' | 'inventory'>,
): Promise<void> {
  const { cluster: clusterName, uid, generation, keyEpoch } = manifest
  const firewallId = knownResources(inventory).ids.get(`firewall/${clusterName}`)
  await writeAnchor(
    connectHetzner(context),
    { clusterName, uid },
    { generation, keyEpoch },
    { known: undefined, firewallId },
  )
}
