import { timestampMs } from '@bufbuild/protobuf/wkt'
import { parse } from 'yaml'
import { isClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject } from '../../lib/json.ts'
import { type Checked, waitFor } from '../../lib/wait-for.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import type { ReachedNode } from './reached-cluster.ts'

interface BootOptions {
  /** Has the node reboot, and returns before it has. */
  readonly stop: () => Promise<unknown>
  readonly wait: boolean
  readonly onPending: (reason: string) => void
}

const machineStatus = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev' }
const withinMs = 10 * 60_000

/**
 * Has a node reboot, whatever runs on it, and, unless it is told not to, returns when it has restarted and is ready. That is seen by
 * its status, which each start recreates: for that no more than os:reader is needed. Throws `wait-timeout`.
 */
export async function bootNode(
  { clock, signal }: RunContext,
  { name, api }: ReachedNode,
  { stop, wait, onPending }: BootOptions,
): Promise<void> {
  const before = wait ? await lookAt(api) : undefined
  await stop()
  if (!before) return
  await waitFor(`${name} to be back`, () => isBack(api, before.since), {
    clock,
    signal,
    everyMs: 1_000,
    withinMs,
    onPending,
    hint: 'Open its console in the Hetzner console.',
  })
}

async function isBack(api: TalosApi, before: number): Promise<Checked<true>> {
  try {
    const { since, stage, ready } = await lookAt(api)
    if (since === before) return { pending: 'it is going down' }
    return stage === 'running' && ready ? { done: true } : { pending: `it is ${stage}` }
  } catch (error) {
    if (!isClusterError(error, 'talos-unreachable', 'talos-refused')) throw error
    return { pending: 'it does not answer' }
  }
}

/** Where a node is in its life, and since when it has this one, in milliseconds. */
async function lookAt(
  api: TalosApi,
): Promise<{ readonly since: number; readonly stage: string; readonly ready: boolean }> {
  const { resource } = await api.resources.get(machineStatus, 'machine')
  const { created } = resource?.metadata ?? {}
  const spec: unknown = parse(resource?.spec?.yamlSpec ?? '')
  const { stage, status } = isJsonObject(spec) ? spec : {}
  return {
    since: created ? timestampMs(created) : 0,
    stage: typeof stage === 'string' ? stage : 'unknown',
    ready: isJsonObject(status) && status['ready'] === true,
  }
}
