import { applySet } from '../../src/kubernetes/apply-set.ts'
import type { KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts'
import type { KubernetesObject } from '../../src/lib/kubernetes-object.ts'
import { textAt } from '../../src/lib/kubernetes-object.ts'
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
      const pods = await runningWeb(client)
      return pods.length === 2 ? { done: undefined } : { pending: pods.join(' ') }
    },
    { clock: world.clock, everyMs: 1_000, withinMs: 600_000 },
  )
}

/** The names of the pods of `web` that run. */
async function runningWeb(client: KubernetesClient): Promise<string[]> {
  const pods = await client.list({ apiVersion: 'v1', kind: 'Pod', labelSelector: 'app=web' })
  return pods
    .filter((pod) => textAt(pod, 'status', 'phase') === 'Running')
    .map(({ metadata }) => metadata.name)
}
