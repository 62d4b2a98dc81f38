import { ApplyConfigurationRequest_Mode } from './gen/machine/machine_pb.js'
import type { ApplyConfigurationOptions } from './methods/machine-methods.ts'
import { talosApi } from './talos-api.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

export interface AppliedConfiguration {
  readonly warnings: readonly string[]
  /** Whether the node reboots for it. */
  readonly reboots: boolean
  /** In the node's own words. */
  readonly details: string
}

/**
 * Hands a node its machine config (YAML). The node validates it; what it does not like is
 * `talos-refused` with its reason.
 */
export async function applyConfiguration(
  client: TalosCaller,
  config: string,
  how?: ApplyConfigurationOptions,
  options?: CallOptions,
): Promise<AppliedConfiguration> {
  const { machine } = talosApi(client)
  const { warnings, mode, modeDetails } = await machine.applyConfiguration(config, how, options)
  const reboots = mode === ApplyConfigurationRequest_Mode.REBOOT
  return { warnings, reboots, details: modeDetails }
}
