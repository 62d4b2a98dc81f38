import type { PhaseProgress } from '../../lib/progress.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { readBootId } from '../../talos/api/node-file.ts'
import type { TalosConnection } from '../../talos/api/talos-caller.ts'
import type { NodeService } from '../node-service.ts'
import { waitForComponents } from './wait-for-components.ts'

/** A node of Talos that goes through the gate. */
export interface TalosNodeService extends NodeService {
  readonly client: TalosConnection
  readonly progress: PhaseProgress
}

export interface TalosNodeServiceOptions extends Omit<TalosNodeService, 'inspection'> {
  readonly isControlPlane: boolean
  readonly redactor: Redactor
}

/** The node's own words, by its Talos API: its components, and the boot that it is in. */
export function talosNodeService(options: TalosNodeServiceOptions): TalosNodeService {
  const { isControlPlane, redactor, ...service } = options
  const { name, client, clock, signal } = service
  return {
    ...service,
    inspection: {
      waitForComponents: (onPending) =>
        waitForComponents({
          client,
          node: { name, isControlPlane },
          restarts: [],
          before: undefined,
          redactor,
          clock,
          signal,
          onPending,
        }),
      expected: async () => ({ bootId: await readBootId(client) }),
    },
  }
}
