import type { HetznerClient } from './api/hetzner-client.ts'
import {
  type ClusterPlace,
  isControllerVolume,
  isOurControllersLoadBalancer,
} from './controller-resources.ts'

export interface MadeSinceOptions {
  readonly uid: string
  readonly place: ClusterPlace
  /** Milliseconds since 1970. */
  readonly since: number
}

/**
 * What the cluster's own controllers have made at Hetzner since a moment, by what people know it by: a Kubernetes that
 * goes back before that moment does not know of it. Changes nothing.
 */
export async function findMadeSince(
  client: HetznerClient,
  { uid, place, since }: MadeSinceOptions,
): Promise<string[]> {
  const [volumes, loadBalancers] = await Promise.all([
    client.volumes.list(),
    client.loadBalancers.list(),
  ])
  const isLater = ({ created }: { readonly created: string }) => Date.parse(created) > since
  return [
    ...volumes
      .filter((one) => isControllerVolume(one, { uid }, place.serverIds) && isLater(one))
      .map(({ name, size }) => `the volume ${name} (${size} GB)`),
    ...loadBalancers
      .filter((one) => isOurControllersLoadBalancer(one, place) && isLater(one))
      .map(({ name }) => `the load balancer ${name}`),
  ]
}
