import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { describeRef, type KubernetesObject, refOf, textAt } from '../lib/kubernetes-object.ts'
import { waitFor } from '../lib/wait-for.ts'
import { inApplyOrder } from './kind-order.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { condition, notReadyBecause } from './readiness.ts'

export interface HookEnvironment {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  readonly onStep?: (message: string) => void
}

/**
 * Runs a chart's hooks: what is left of the former run is deleted, then each is recreated. With
 * `toTheEnd`, Jobs are waited for; a Job that fails is `addon-failed`.
 */
export async function runHooks(
  client: KubernetesClient,
  hooks: readonly KubernetesObject[],
  toTheEnd: boolean,
  environment: HookEnvironment,
): Promise<void> {
  for (const hook of inApplyOrder(hooks).flat()) {
    environment.onStep?.(`running the hook ${describeRef(refOf(hook))}`)
    await removeFormer(client, hook, environment)
    await client.applyServerSide(hook, { fieldManager: 'hcloud-talos', force: true })
    if (toTheEnd && hook.kind === 'Job') await waitForJob(client, hook, environment)
  }
}

async function removeFormer(
  client: KubernetesClient,
  hook: KubernetesObject,
  environment: HookEnvironment,
): Promise<void> {
  const former = await client.get(refOf(hook))
  const uid = textAt(former, 'metadata', 'uid')
  if (uid === undefined) return
  await client.delete(refOf(hook), { uid })
  await waitFor(
    `the former ${describeRef(refOf(hook))} to be gone`,
    async () => {
      const now = textAt(await client.get(refOf(hook)), 'metadata', 'uid')
      return now === uid ? { pending: 'it is still there' } : { done: undefined }
    },
    { ...environment, everyMs: 500, withinMs: 2 * 60_000 },
  )
}

async function waitForJob(
  client: KubernetesClient,
  job: KubernetesObject,
  environment: HookEnvironment,
): Promise<void> {
  await waitFor(
    `${describeRef(refOf(job))} to complete`,
    async () => {
      const now = await client.get(refOf(job))
      if (!now) return { done: undefined }
      if (condition(now, 'Failed')?.status === 'True') {
        throw new ClusterError('addon-failed', `the hook ${describeRef(refOf(job))} failed`, {
          hint: 'Look at its log with `kubectl logs`.',
        })
      }
      const reason = notReadyBecause(now)
      return reason === undefined ? { done: undefined } : { pending: reason }
    },
    { ...environment, everyMs: 1_000, withinMs: 5 * 60_000 },
  )
}
