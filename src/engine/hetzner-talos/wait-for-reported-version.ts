import type { NodeWait } from '../../kubernetes/nodes.ts'
import type { AwaitedVersion } from '../../kubernetes/wait-for-served-version.ts'
import { type Checked, waitFor } from '../../lib/wait-for.ts'
import type { TalosCaller } from '../../talos/api/talos-caller.ts'
import { isTransient } from '../../talos/api/talos-status.ts'
import { staticPodState } from '../../talos/node-health.ts'
import { reportedVersion } from '../../talos/reported-version.ts'
import { staticPodProblem } from '../../talos/static-pod-health.ts'

/**
 * Waits until the container of a controller manager or a scheduler was started since Talos rendered its pod, by the
 * node's own word, and is of this version by its own: a mirror pod shows what was rendered. Throws `wait-timeout`.
 */
export async function waitForReportedVersion(
  client: TalosCaller,
  component: 'kube-controller-manager' | 'kube-scheduler',
  { node, version }: AwaitedVersion,
  wait: NodeWait,
): Promise<void> {
  const check = async (): Promise<Checked<void>> => {
    const state = await staticPodState(client, component, node)
    const problem = staticPodProblem(state)
    if (problem) return { pending: problem.reason }
    const reported = await reportedVersion(client, state)
    if (reported === undefined || reported === version) return { done: undefined }
    return { pending: `it reports ${reported}` }
  }
  await waitFor(
    `the ${component} of ${node} to run as ${version}`,
    async () => {
      try {
        return await check()
      } catch (error) {
        if (!isTransient(error)) throw error
        return { pending: 'its node is away' }
      }
    },
    { everyMs: 1_000, ...wait },
  )
}
