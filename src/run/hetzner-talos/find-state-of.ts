import { knownResources } from '../../hetzner/known-resources.ts'
import { observeHetzner } from '../../hetzner/observe.ts'
import { writeAnchor } from '../../hetzner/state-anchor.ts'
import type { Generation } from '../../store/generation.ts'
import type { ProviderKnowledge } from '../mode/machine-provider.ts'
import type { ClusterSession } from './cluster-session.ts'
import { refuseOtherCluster } from './observe-cluster.ts'

/** What Hetzner knows of the cluster of a state that nobody believes yet: of a bundle, or of a damaged branch. */
export async function findStateOf(
  { spec, hetzner }: ClusterSession,
  base: Generation,
): Promise<ProviderKnowledge> {
  const identity = { clusterName: spec.clusterName, uid: base.manifest.uid }
  const live = await observeHetzner(hetzner, {
    ...identity,
    known: knownResources(base.inventory),
    network: spec.hetzner.network,
  })
  return {
    anchor: live.anchor,
    isThere: live.records.length > 0,
    refuseOther: () => refuseOtherCluster(base, live),
    remember: ({ generation, keyEpoch }) =>
      writeAnchor(
        hetzner,
        identity,
        { generation, keyEpoch },
        { known: live.anchor, firewallId: live.ids.get(`firewall/${spec.clusterName}`) },
      ),
  }
}
