import { type KubernetesObject, listAt, textAt } from '../lib/kubernetes-object.ts'
import { type Checked, waitFor } from '../lib/wait-for.ts'
import { isApiAway } from './api-refusal.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import type { NodeWait } from './nodes.ts'
import { condition } from './readiness.ts'

/**
 * Waits until the pods are Ready that serve all others on a node: those of DaemonSets that are critical to it,
 * such as the network's and the storage driver's, or of some of these alone. Throws `wait-timeout`.
 */
export async function waitForNodeAgents(
  client: KubernetesClient,
  node: string,
  wait: NodeWait,
  daemonSets?: readonly string[],
): Promise<void> {
  await waitFor(
    `the agents on ${node} to be Ready`,
    async () => {
      try {
        return judgeAgents(
          await client.list({
            apiVersion: 'v1',
            kind: 'Pod',
            fieldSelector: `spec.nodeName=${node}`,
          }),
          daemonSets,
        )
      } catch (error) {
        if (!isApiAway(error)) throw error
        return { pending: 'the Kubernetes API is away' }
      }
    },
    { everyMs: 1_000, hint: `Look at the pods of kube-system on ${node}.`, ...wait },
  )
}

/** The DaemonSets that give pods their network, by the kind of it in the cluster file. */
export const networkAgents = {
  cilium: ['cilium', 'cilium-envoy'],
  flannel: ['kube-flannel'],
} as const

/** The first of a node's agents that is not Ready: pods of these DaemonSets, else of all that are critical. Pure. */
export function judgeAgents(
  pods: readonly KubernetesObject[],
  daemonSets?: readonly string[],
): Checked<undefined> {
  const waiting = pods.find(
    (pod) => isAgent(pod, daemonSets) && condition(pod, 'Ready')?.status !== 'True',
  )
  return waiting ? { pending: `${waiting.metadata.name} is not Ready` } : { done: undefined }
}

function isAgent(pod: KubernetesObject, daemonSets: readonly string[] | undefined): boolean {
  const owners = listAt(pod, 'metadata', 'ownerReferences').flatMap((owner) =>
    textAt(owner, 'kind') === 'DaemonSet' ? [textAt(owner, 'name') ?? ''] : [],
  )
  if (daemonSets) return owners.some((name) => daemonSets.includes(name))
  return owners.length > 0 && textAt(pod, 'spec', 'priorityClassName') === 'system-node-critical'
}
