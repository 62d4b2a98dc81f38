import { status } from '@grpc/grpc-js'
import type { Checked } from '../lib/wait-for.ts'
import { talosApi } from './api/talos-api.ts'
import { statusCode } from './api/talos-status.ts'
import type { ControlPlane } from './control-plane.ts'
import { type TalosWaitOptions, waitForTalos } from './wait-for-talos.ts'

/**
 * Starts a node's kubelet again, as soon as the node answers: it makes its Node only when it starts. Throws
 * `wait-timeout`.
 */
export function restartKubelet(
  { name, client }: ControlPlane,
  options: TalosWaitOptions,
): Promise<void> {
  const step = async (): Promise<Checked<void>> => {
    try {
      await talosApi(client).machine.serviceRestart('kubelet')
      return { done: undefined }
    } catch (error) {
      // It is between two states.
      if (statusCode(error) !== status.FAILED_PRECONDITION) throw error
      return { pending: 'its kubelet cannot be restarted yet' }
    }
  }
  return waitForTalos(`the kubelet of ${name} to restart`, step, options, {
    defaultMs: 5 * 60_000,
    hint: `Look at the console of ${name}, then run the same command again.`,
  })
}
