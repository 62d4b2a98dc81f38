import type { KubernetesNode } from './nodes.ts'

/** A node, and the server that it runs on where that is known. */
export interface NodeOnServer {
  readonly name: string
  readonly serverId?: number | undefined
}

/** How Hetzner's cloud controller manager names a server in its Node. */
export function providerIdOf(serverId: number): string {
  return `hcloud://${serverId}`
}

/**
 * Whether a Node is that of another server than the one that the node runs on. A new kubelet takes over
 * a Node of its name with the provider id of the former server; the cloud controller manager then
 * deletes it, and nobody registers it again. One without a provider id may be of either.
 */
export function isOfOtherServer(
  { providerId }: Pick<KubernetesNode, 'providerId'>,
  serverId: number | undefined,
): boolean {
  if (serverId === undefined || providerId === undefined) return false
  return providerId !== providerIdOf(serverId)
}
