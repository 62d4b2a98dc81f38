import { type WaitOptions, waitFor } from '../lib/wait-for.ts'
import { isApiAway } from './api-refusal.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { listNodes } from './nodes.ts'

/** How long a kubelet that is healthy may take to register its node, in milliseconds: it does so when it starts. */
const withinMs = 3 * 60_000

/**
 * Returns when Kubernetes knows all of these nodes, whose kubelets are healthy. One whose Node was deleted under it never
 * registers again by itself, so that there is no use in a longer wait. Throws `wait-timeout`.
 */
export async function waitForRegistration(
  client: KubernetesClient,
  names: readonly string[],
  wait: Pick<WaitOptions, 'clock' | 'signal' | 'onPending'>,
): Promise<void> {
  await waitFor(
    'Kubernetes to know all nodes',
    async () => {
      try {
        const known = new Set((await listNodes(client)).map(({ name }) => name))
        const [missing] = names.filter((name) => !known.has(name))
        return missing === undefined
          ? { done: undefined }
          : { pending: `${missing} runs, and Kubernetes does not know it` }
      } catch (error) {
        if (!isApiAway(error)) throw error
        return { pending: 'the Kubernetes API is away' }
      }
    },
    {
      everyMs: 1_000,
      withinMs,
      hint: 'Run `hcloud-talos apply` again: it restarts the kubelet of a node that Kubernetes does not know, which registers it.',
      ...wait,
    },
  )
}
