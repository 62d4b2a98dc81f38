import type { RunContext } from '../../run/run-context.ts'
import { type DestroyInput, type DestroyResult, destroyInMode } from '../modes/destroy-in-mode.ts'
import { hetznerTalos } from '../modes/hetzner-talos/hetzner-talos.ts'

/** Deletes exactly what is the cluster's, and then its state. Safe to kill and to run again. */
export function destroyCluster(context: RunContext, input: DestroyInput): Promise<DestroyResult> {
  return destroyInMode(hetznerTalos, context, input)
}
