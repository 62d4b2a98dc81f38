import type { ApiLoadBalancer } from './api/load-balancers.ts'
import type { ApiVolume } from './api/volumes.ts'
import type { ClusterIdentity, Labels } from './ownership.ts'

/** Hetzner's cloud controller marks its load balancers with the uid of their Service, and nothing else. */
const serviceLabel = 'hcloud-ccm/service-uid'

/** Whether a load balancer under this name was made by a cloud controller (of whichever cluster). */
export function isControllerLoadBalancer(
  { name, labels }: Pick<ApiLoadBalancer, 'name' | 'labels'>,
  expectedName: string,
): boolean {
  return name === expectedName && serviceLabel in labels
}

export interface ClusterPlace {
  /** The network that the cluster is in; undefined where it is gone. */
  readonly networkId: number | undefined
  /** Whether that network is the cluster's own. */
  readonly networkIsOurs: boolean
  readonly serverIds: ReadonlySet<number>
}

/**
 * Whether a load balancer was made by our own cluster's controller: in our network, by id, and with no
 * target that is another's server. In a network that others use too, it must have one that is ours.
 */
export function isOurControllersLoadBalancer(
  loadBalancer: ApiLoadBalancer,
  { networkId, networkIsOurs, serverIds }: ClusterPlace,
): boolean {
  if (!isControllerLoadBalancer(loadBalancer, loadBalancer.name)) return false
  if (!loadBalancer.private_net.some(({ network }) => network === networkId)) return false
  const targets = loadBalancer.targets.flatMap(({ server }) => (server ? [server.id] : []))
  if (targets.some((id) => !serverIds.has(id))) return false
  return networkIsOurs || targets.length > 0
}

/**
 * Whether a volume was made by our cluster's storage driver. It carries our uid where our own values
 * were in force. Without any, only its being attached to one of our servers proves it: a cluster's name
 * is no proof, since another tool, or a cluster that is gone, may have used the same.
 */
export function isControllerVolume(
  { labels, server }: Pick<ApiVolume, 'labels' | 'server'>,
  { uid }: Pick<ClusterIdentity, 'uid'>,
  serverIds: ReadonlySet<number>,
): boolean {
  if (labels['uid'] !== undefined) return labels['uid'] === uid
  return isDriverVolume(labels) && typeof server === 'number' && serverIds.has(server)
}

/** Whether some cluster's storage driver made a volume, and no cluster has put its uid on it. */
export function isDriverVolume(labels: Labels): boolean {
  return labels['uid'] === undefined && labels['managed-by'] === 'csi-driver'
}
