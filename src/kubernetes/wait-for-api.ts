import { waitFor } from '../lib/wait-for.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import type { NodeWait } from './nodes.ts'

/** Waits until the API server answers and says that it is ready, as after a bootstrap. */
export async function waitForApi(client: KubernetesClient, wait: NodeWait): Promise<void> {
  await waitFor(
    'the Kubernetes API',
    async () =>
      (await client.isReady()) ? { done: undefined } : { pending: 'it is not ready yet' },
    {
      everyMs: 2_000,
      hint: 'Look at the services and static pods of the control planes.',
      ...wait,
    },
  )
}
