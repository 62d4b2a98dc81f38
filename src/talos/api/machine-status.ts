import { isJsonObject } from '../../lib/json.ts'
import { getResource } from './resources.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

export interface MachineStatus {
  /** `maintenance`, `booting`, `running`, `rebooting`, `upgrading`, ... */
  readonly stage: string
  readonly ready: boolean
  /** What is missing until it is ready, as `name: reason`. */
  readonly unmet: readonly string[]
}

/**
 * Where a node is in its life. Answers in maintenance too, on all versions; undefined when the node
 * does not know yet.
 */
export async function getMachineStatus(
  client: TalosCaller,
  options?: CallOptions,
): Promise<MachineStatus | undefined> {
  const resource = await getResource(
    client,
    { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev' },
    'machine',
    options,
  )
  const spec = resource?.spec
  if (!isJsonObject(spec)) return undefined
  const status = isJsonObject(spec['status']) ? spec['status'] : {}
  const unmet = Array.isArray(status['unmetConditions']) ? status['unmetConditions'] : []
  return {
    stage: String(spec['stage'] ?? 'unknown'),
    ready: status['ready'] === true,
    unmet: unmet
      .filter(isJsonObject)
      .map(({ name, reason }) => `${name ?? 'condition'}: ${reason ?? 'not met'}`),
  }
}
