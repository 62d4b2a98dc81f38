import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { providerIdOf } from '../../kubernetes/node-server.ts'
import { deleteNode, getNode } from '../../kubernetes/nodes.ts'

/**
 * Before an empty server gets its config: deletes the Node that an earlier server of this name left in
 * Kubernetes, so that the new kubelet registers one of its own. To be called only for a node that is
 * known to be empty. Returns whether there was one.
 */
export async function dropFormerNode(
  kubernetes: KubernetesClient,
  { name, serverId }: { readonly name: string; readonly serverId: number },
): Promise<boolean> {
  const former = await getNode(kubernetes, name)
  // A node that was reset is still the same server's. Without a provider id nothing says so.
  if (former === undefined || former.providerId === providerIdOf(serverId)) return false
  return deleteNode(kubernetes, name)
}
