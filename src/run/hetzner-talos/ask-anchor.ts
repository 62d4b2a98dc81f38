import { knownResources } from '../../hetzner/known-resources.ts'
import { readStateAnchor } from '../../hetzner/state-anchor.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { Generation } from '../../store/generation.ts'
import type { AnchorAnswer, ReadCluster } from '../mode/machine-provider.ts'
import type { RunContext } from '../run-context.ts'
import { connectHetzner } from './cluster-session.ts'

/**
 * Asks Hetzner how far the state of a cluster has come, in one request. A token that is there is used: an answer that
 * cannot be had ends the command, since it is not the same as no answer. Throws what asking Hetzner does.
 */
export async function askAnchor(
  context: RunContext,
  { spec: { clusterName } }: Pick<ReadCluster<ClusterSpec>, 'spec'>,
  { manifest, inventory }: Generation,
): Promise<AnchorAnswer> {
  if (!context.hetznerToken) return { kind: 'not asked' }
  const firewallId = knownResources(inventory).ids.get(`firewall/${clusterName}`)
  const identity = { clusterName, uid: manifest.uid }
  const anchor = await readStateAnchor(connectHetzner(context), identity, firewallId)
  return { kind: 'answered', anchor }
}
