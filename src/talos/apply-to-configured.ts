import { status } from '@grpc/grpc-js'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { parseVersion } from '../spec/tables/version-matrix.ts'
import { type AppliedConfiguration, applyConfiguration } from './api/apply-configuration.ts'
import { getVersion } from './api/node-version.ts'
import { talosApi } from './api/talos-api.ts'
import type { TalosConnection } from './api/talos-caller.ts'
import { statusCode } from './api/talos-status.ts'
import type { ConfigDifference } from './config/diff-configs.ts'
import { diffRunningConfig, readRunningConfig } from './running-config.ts'

/** Whether a node that runs may reboot for its config, which `auto` does only when it must. */
export type ApplyLeave = 'auto' | 'no-reboot'

export interface ConfiguredNodeInput {
  /** For messages. */
  readonly name: string
  /** The machine config, YAML. */
  readonly config: string
  readonly mode?: ApplyLeave | undefined
}

/** What a node made of its config: what it warns of, and whether it reboots for it. */
export type AppliedConfig = Pick<AppliedConfiguration, 'warnings' | 'reboots'>

/**
 * Brings a config to a node that runs with another one, and does no more than it takes: nothing where the
 * node has it already, live where that does, and else it is staged and the node rebooted. Returns before
 * the node is back. Throws `talos-refused` when the node does not like it, or would have to reboot without
 * leave.
 */
export async function applyToConfigured(
  client: TalosConnection,
  { name, config, mode = 'auto' }: ConfiguredNodeInput,
): Promise<AppliedConfig> {
  const differences = await differencesFrom(client, config)
  // What a node does not show, it judges itself; since 1.14 none does, and a reboot is what always works.
  if (differences === undefined && mode === 'auto') {
    return (await judgesItself(client))
      ? applyConfiguration(client, config)
      : stageAndReboot(client, config)
  }
  if (differences?.length === 0) return { warnings: [], reboots: false }
  if (differences?.some(mustReboot)) {
    if (mode === 'auto') return stageAndReboot(client, config)
    throw needsReboot(name)
  }
  try {
    return await applyConfiguration(client, config, { mode: 'no-reboot' })
  } catch (error) {
    if (!refusedForReboot(error)) throw error
    if (mode === 'auto') return stageAndReboot(client, config)
    // Without its cause: Talos quotes the difference, secrets and all.
    throw needsReboot(name)
  }
}

/** Whether the node reboots by itself for what takes one, as Talos did before 1.14. */
async function judgesItself(client: TalosConnection): Promise<boolean> {
  const { tag } = await getVersion(client)
  return (parseVersion(tag)?.minor ?? 0) < 14
}

/** Not every node refuses by itself what it would take up with its next boot alone. */
function needsReboot(name: string): ClusterError {
  return new ClusterError('talos-refused', `${name} cannot take this config without a reboot`, {
    operation: 'apply a machine config',
    target: name,
    hint: 'Plan again: what the node runs has changed since, and the new plan shows what it takes.',
  })
}

/** The mode that does both at once is gone from Talos 1.14; these two are in every version. */
async function stageAndReboot(client: TalosConnection, config: string): Promise<AppliedConfig> {
  const { warnings } = await applyConfiguration(client, config, { mode: 'staged' })
  await talosApi(client).machine.reboot()
  return { warnings, reboots: true }
}

async function differencesFrom(
  client: TalosConnection,
  config: string,
): Promise<readonly ConfigDifference[] | undefined> {
  try {
    const running = await readRunningConfig(talosApi(client))
    return running && diffRunningConfig(running, config)
  } catch (error) {
    if (!isClusterError(error, 'talos-refused')) throw error
    return undefined
  }
}

function mustReboot({ effect }: ConfigDifference): boolean {
  return effect === 'reboot' || effect === 'reinstall'
}

/** The same code stands for a config that the node does not like: only Talos's words tell the two apart. */
function refusedForReboot(error: unknown): boolean {
  return (
    statusCode(error) === status.INVALID_ARGUMENT &&
    error instanceof Error &&
    /immediate mode/.test(error.message)
  )
}
