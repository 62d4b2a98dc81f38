import { ClusterError } from '../lib/cluster-error.ts'
import { getVersion } from './api/node-version.ts'
import { readSchematic } from './api/schematic.ts'
import { talosApi } from './api/talos-api.ts'
import type { TalosConnection } from './api/talos-caller.ts'
import { readRunningConfig } from './running-config.ts'

/** What a node runs, as it says itself. */
export interface RunningNode {
  /** The machine config that is in effect: YAML, with all of its secrets. */
  readonly config: string
  /** `v1.13.9`. */
  readonly talosVersion: string
  /** Undefined for an image that tells none. */
  readonly schematic: string | undefined
}

/** Reads it; changes nothing. Takes the role os:admin. Throws `talos-refused`, `talos-identity`, `talos-unreachable`. */
export async function readRunningNode(client: TalosConnection): Promise<RunningNode> {
  const [running, { tag }, schematic] = await Promise.all([
    readRunningConfig(talosApi(client)),
    getVersion(client),
    readSchematic(client),
  ])
  if (running === undefined) {
    throw new ClusterError('talos-refused', `${client.address} shows no machine config`, {
      operation: 'read the machine config of',
      target: client.address,
      hint: 'Use credentials with the role os:admin.',
    })
  }
  return { config: running.active, talosVersion: tag, schematic }
}
