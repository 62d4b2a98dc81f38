import {
  fieldAt,
  type KubernetesObject,
  numberAt,
  refOf,
  textAt,
  textsAt,
} from '../lib/kubernetes-object.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { selectorMatches } from './label-selector.ts'

/**
 * Which disruption budgets of its namespace choose a pod, with their numbers, as half a sentence for
 * people. Empty when there is none, or when they cannot be read.
 */
export async function blockingBudgets(
  client: KubernetesClient,
  pod: KubernetesObject,
): Promise<string[]> {
  const { namespace = 'default' } = refOf(pod)
  const labels = textsAt(pod, 'metadata', 'labels')
  const budgets = await client
    .list({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', namespace })
    .catch(() => [])
  return budgets
    .filter((budget) => selectorMatches(fieldAt(budget, 'spec', 'selector'), labels))
    .filter((budget) => (numberAt(budget, 'status', 'disruptionsAllowed') ?? 0) < 1)
    .map(describeBudget)
}

function describeBudget(budget: KubernetesObject): string {
  const status = (name: string) => numberAt(budget, 'status', name) ?? 0
  const policy = textAt(budget, 'spec', 'unhealthyPodEvictionPolicy')
  return (
    `PodDisruptionBudget ${refOf(budget).namespace}/${budget.metadata.name} ` +
    `(${status('currentHealthy')} healthy, ${status('desiredHealthy')} required, ` +
    `${status('disruptionsAllowed')} disruptions allowed${policy === undefined ? '' : `, ${policy}`})`
  )
}
