import { type KubernetesObject, listAt, textAt } from '../lib/kubernetes-object.ts'
import { type Checked, waitFor } from '../lib/wait-for.ts'
import { isApiAway } from './api-refusal.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import type { NodeWait } from './nodes.ts'
import { condition } from './readiness.ts'

/**
 * Waits until the pods are Ready that serve all others on a node: those of DaemonSets that are critical to it,
 * such as the network's and the storage driver's. Throws `wait-timeout`.
 */
export async function waitForNodeAgents(
  client: KubernetesClient,
  node: string,
  wait: NodeWait,
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
        )
      } catch (error) {
        if (!isApiAway(error)) throw error
        return { pending: 'the Kubernetes API is away' }
      }
    },
    { everyMs: 1_000, hint: `Look at the pods of kube-system on ${node}.`, ...wait },
  )
}

/** The first of a node's critical DaemonSet pods that is not Ready. Pure. */
export function judgeAgents(pods: readonly KubernetesObject[]): Checked<undefined> {
  const waiting = pods.find(
    (pod) =>
      textAt(pod, 'spec', 'priorityClassName') === 'system-node-critical' &&
      listAt(pod, 'metadata', 'ownerReferences').some(
        (owner) => textAt(owner, 'kind') === 'DaemonSet',
      ) &&
      condition(pod, 'Ready')?.status !== 'True',
  )
  return waiting ? { pending: `${waiting.metadata.name} is not Ready` } : { done: undefined }
}
