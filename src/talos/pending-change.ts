import { isClusterError } from '../lib/cluster-error.ts'
import { talosApi } from './api/talos-api.ts'
import type { TalosConnection } from './api/talos-caller.ts'
import { isTransient } from './api/talos-status.ts'
import { takenUpBy } from './config/change-effect.ts'
import type { ConfigDifference } from './config/diff-configs.ts'
import { diffRunningConfig, readRunningConfig } from './running-config.ts'

/** What a config would change on a node that runs. */
export interface PendingChange {
  /** What the node has in effect, with its secrets. */
  readonly former: string
  readonly differences: readonly ConfigDifference[]
}

/** Asks a node what a config would change on it; undefined for one that cannot be asked, or shows none. */
export async function pendingChange(
  client: TalosConnection,
  config: string,
  role: 'control-plane' | 'worker',
): Promise<PendingChange | undefined> {
  try {
    const running = await readRunningConfig(talosApi(client))
    if (running === undefined) return undefined
    return {
      former: running.active,
      differences: takenUpBy(role, diffRunningConfig(running, config)),
    }
  } catch (error) {
    client.throwIfAborted()
    if (!isTransient(error) && !isClusterError(error, 'talos-refused', 'talos-identity'))
      throw error
    return undefined
  }
}
