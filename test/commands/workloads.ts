import { applySet } from '../../src/kubernetes/apply-set.ts'
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts'
import type { KubernetesObject } from '../../src/lib/kubernetes-object.ts'
import { listAt, textAt } from '../../src/lib/kubernetes-object.ts'
import { waitFor } from '../../src/lib/wait-for.ts'
import type { World } from '../../src/sandbox/world.ts'

/**
 * Puts `web` into a cluster, as its users do: two pods, of which a budget allows to be without one.
 * Returns when both run.
 */
export async function runWeb(client: KubernetesClient, world: World): Promise<void> {
  const labels = { app: 'web' }
  const objects: KubernetesObject[] = [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'web', image: 'web:1' }] },
        },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    },
  ]
  const set = { name: 'web', namespace: 'default', objects, hooks: { before: [], after: [] } }
  await applySet(client, set, world)
  await waitFor(
    'web to run',
    async () => {
      const pods = await runningPods(client, 'web')
      return pods.length === 2 ? { done: undefined } : { pending: pods.join(' ') }
    },
    { clock: world.clock, everyMs: 1_000, withinMs: 600_000 },
  )
}

/** Puts `shop` into a cluster: a Service with a load balancer, and a pod with a volume. Returns when it runs. */
export async function runShop(client: KubernetesClient, world: World): Promise<void> {
  const labels = { app: 'shop' }
  const objects: KubernetesObject[] = [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'shop',
        annotations: { 'load-balancer.hetzner.cloud/location': 'hel1' },
      },
      spec: { type: 'LoadBalancer', selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'shop' },
      spec: {
        replicas: 1,
        serviceName: 'shop',
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'shop', image: 'shop:1' }] },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: {
              accessModes: ['ReadWriteOnce'],
              storageClassName: 'hcloud-volumes',
              resources: { requests: { storage: '10Gi' } },
            },
          },
        ],
      },
    },
  ]
  const set = { name: 'shop', namespace: 'default', objects, hooks: { before: [], after: [] } }
  await applySet(client, set, world)
  const service = { apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'shop' }
  await waitFor(
    'shop to run',
    async () => {
      const [address] = listAt(await client.get(service), 'status', 'loadBalancer', 'ingress')
      const running = (await runningPods(client, 'shop')).length
      return address !== undefined && running === 1
        ? { done: undefined }
        : { pending: `${running} pods run` }
    },
    { clock: world.clock, everyMs: 1_000, withinMs: 600_000 },
  )
}

/** The names of the pods of an app that run. */
async function runningPods(client: KubernetesClient, app: string): Promise<string[]> {
  const pods = await client.list({ apiVersion: 'v1', kind: 'Pod', labelSelector: `app=${app}` })
  return pods
    .filter((pod) => textAt(pod, 'status', 'phase') === 'Running')
    .map(({ metadata }) => metadata.name)
}

/** A Service of type LoadBalancer that asks for a load balancer of this name. */
export async function exposeService(
  client: KubernetesClient,
  world: World,
  { service, name }: { readonly service: string; readonly name: string },
): Promise<void> {
  const annotations = {
    'load-balancer.hetzner.cloud/location': 'hel1',
    'load-balancer.hetzner.cloud/name': name,
  }
  const objects: KubernetesObject[] = [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: service, annotations },
      spec: { type: 'LoadBalancer', selector: { app: service }, ports: [{ port: 80 }] },
    },
  ]
  const set = { name: service, namespace: 'default', objects, hooks: { before: [], after: [] } }
  await applySet(client, set, world)
}
