import { isApiAway } from '../../kubernetes/api-refusal.ts'
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import type { NodeWait } from '../../kubernetes/nodes.ts'
import { type Checked, waitFor } from '../../lib/wait-for.ts'
import type { TalosCaller } from '../../talos/api/talos-caller.ts'
import { isTransient } from '../../talos/api/talos-status.ts'
import { staticPodState } from '../../talos/node-health.ts'
import { reportedVersion } from '../../talos/reported-version.ts'
import { staticPodProblem } from '../../talos/static-pod-health.ts'

const everyMs = 1_000

export interface AwaitedVersion {
  readonly node: string
  /** With v. */
  readonly version: string
}

/**
 * Waits until the API server of a node says itself that it is of this version: a tag says what somebody called an
 * image. Throws `wait-timeout`.
 */
export async function waitForServedVersion(
  api: KubernetesClient,
  { node, version }: AwaitedVersion,
  wait: NodeWait,
): Promise<void> {
  const check = async (): Promise<Checked<void>> => {
    api.refreshDiscovery()
    const reported = (await api.discovery()).version
    if (reported === version) return { done: undefined }
    return { pending: `it reports ${reported || 'no version'}` }
  }
  await waitFor(
    `the API server of ${node} to report ${version}`,
    () => check().catch((error: unknown) => pendingWhile(isApiAway, error, 'it is away')),
    { everyMs, ...wait },
  )
}

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
    () => check().catch((error: unknown) => pendingWhile(isTransient, error, 'its node is away')),
    { everyMs, ...wait },
  )
}

function pendingWhile(
  isAway: (error: unknown) => boolean,
  error: unknown,
  pending: string,
): Checked<void> {
  if (!isAway(error)) throw error
  return { pending }
}
