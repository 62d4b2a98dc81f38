import type { TalosClient } from './api/talos-client.ts'

/** A control plane with a connection to it. */
export interface ControlPlane {
  readonly name: string
  readonly client: TalosClient
}
