import type { TalosConnection } from './api/talos-caller.ts'

/** A control plane with a connection to it. */
export interface ControlPlane {
  readonly name: string
  readonly client: TalosConnection
}
