import { describeRef, type ObjectRef, refOf, textAt } from '../lib/kubernetes-object.ts'
import { waitFor } from '../lib/wait-for.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import type { NodeWait } from './nodes.ts'

const serviceKind = { apiVersion: 'v1', kind: 'Service' } as const

/** Services for which the cloud controller manager keeps a load balancer. */
export async function loadBalancerServices(client: KubernetesClient): Promise<ObjectRef[]> {
  const services = await client.list(serviceKind)
  return services.filter((service) => textAt(service, 'spec', 'type') === 'LoadBalancer').map(refOf)
}

/**
 * Deletes them and waits until they are gone, which is when their load balancers are: a load balancer
 * that is deleted behind the controller's back would be recreated. Throws `wait-timeout`.
 */
export async function deleteLoadBalancerServices(
  client: KubernetesClient,
  wait: NodeWait,
): Promise<ObjectRef[]> {
  const services = await loadBalancerServices(client)
  for (const service of services) await client.delete(service)
  await waitFor(
    'the load balancers of services to be removed',
    async () => {
      const [left] = await loadBalancerServices(client)
      return left ? { pending: `${describeRef(left)} is still there` } : { done: undefined }
    },
    { everyMs: 2_000, hint: 'Look at the log of the cloud controller manager.', ...wait },
  )
  return services
}
