import { parse } from 'yaml'
import { isClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject } from '../../lib/json.ts'
import { type Checked, waitFor } from '../../lib/wait-for.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import type { RunContext } from '../run-context.ts'
import type { ReachedNode } from './reached-cluster.ts'

export type RebootMode = 'default' | 'powercycle' | 'force'

const machineStatus = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev' }
const withinMs = 10 * 60_000

/**
 * Reboots a node and, unless told not to, returns when it has started anew and is ready: that is seen by
 * the moment of its start, for which no more than os:reader is needed. Throws `wait-timeout`.
 */
export async function rebootNode(
  { clock, signal }: RunContext,
  { name, api }: ReachedNode,
  {
    mode,
    wait,
    onPending,
  }: {
    readonly mode: RebootMode
    readonly wait: boolean
    readonly onPending: (reason: string) => void
  },
): Promise<void> {
  const before = wait ? await startOf(api) : 0n
  await api.machine.reboot(mode)
  if (!wait) return
  await waitFor(`${name} to be back`, () => isBack(api, before), {
    clock,
    signal,
    everyMs: 1_000,
    withinMs,
    onPending,
    hint: 'look at its console in the Hetzner console',
  })
}

async function isBack(api: TalosApi, before: bigint): Promise<Checked<true>> {
  try {
    if ((await startOf(api)) === before) return { pending: 'it is going down' }
    const { resource } = await api.resources.get(machineStatus, 'machine')
    const { stage, ready } = readStatus(resource?.spec?.yamlSpec ?? '')
    return stage === 'running' && ready ? { done: true } : { pending: `it is ${stage}` }
  } catch (error) {
    if (!isClusterError(error, 'talos-unreachable', 'talos-refused')) throw error
    return { pending: 'it does not answer' }
  }
}

async function startOf({ machine }: TalosApi): Promise<bigint> {
  return (await machine.systemStat()).bootTime
}

function readStatus(yaml: string): { stage: string; ready: boolean } {
  const spec: unknown = parse(yaml)
  const status = isJsonObject(spec) ? spec : {}
  const inner = isJsonObject(status['status']) ? status['status'] : {}
  return { stage: String(status['stage'] ?? 'unknown'), ready: inner['ready'] === true }
}
