import type { ActionPlan } from '../actions/run-action.ts'
import type { HetznerState } from '../hetzner-state.ts'
import type { VolumeRecord } from './volume.ts'

/** The action that attaches a volume to a server of the same location. */
export function attachVolume(
  state: HetznerState,
  volume: VolumeRecord,
  server: number,
): ActionPlan {
  return {
    command: 'attach_volume',
    resources: [
      { id: server, type: 'server' },
      { id: volume.id, type: 'volume' },
    ],
    latency: 'volume',
    run: () => {
      if (state.servers.has(server)) volume.server = server
    },
  }
}
