import { status } from '@grpc/grpc-js'
import type { Checked } from '../../lib/wait-for.ts'
import { readBootId } from '../api/node-file.ts'
import { talosApi } from '../api/talos-api.ts'
import { statusCode } from '../api/talos-status.ts'
import type { ControlPlane } from '../control-plane.ts'
import { type TalosWaitOptions, waitForTalos } from '../wait-for-talos.ts'
import { judgeEtcd } from './judge-etcd.ts'

/** How long a node must be seen without etcd's data before that is believed, in milliseconds. */
const sureAfterMs = 5_000

/**
 * Takes etcd's data from a control plane, where it has any: wipes EPHEMERAL and waits until the node is back
 * and waits for an etcd to begin. May be repeated after a stop anywhere; a node that is empty is left as it
 * is. The caller has made sure that the data is to go. Throws `wait-timeout`.
 */
export function emptyEtcd(
  { name, client }: ControlPlane,
  options: TalosWaitOptions,
): Promise<void> {
  const { clock } = options
  let wipedBoot: string | undefined
  let emptySince: number | undefined
  const step = async (): Promise<Checked<void>> => {
    const condition = await judgeEtcd(client)
    if (condition === 'empty') {
      emptySince ??= clock.now()
      // A node with data is in the same state for a moment while it boots.
      if (clock.now() - emptySince >= sureAfterMs) return { done: undefined }
      return { pending: `${name} has no data of etcd` }
    }
    emptySince = undefined
    if (condition === 'unclear') return { pending: `${name} is on its way` }
    const bootId = await readBootId(client)
    if (bootId !== wipedBoot) {
      await askToWipe({ name, client })
      wipedBoot = bootId
    }
    return { pending: `${name} wipes its data and reboots` }
  }
  return waitForTalos(`${name} to be without data of etcd`, step, options, {
    defaultMs: 15 * 60_000,
    hint: `Look at the console of ${name}; then run the same command again, which continues from here.`,
  })
}

/** Of the node only its data goes: its config stays. It does not leave etcd first, since there is none to leave. */
async function askToWipe({ client }: ControlPlane): Promise<void> {
  try {
    const { machine } = talosApi(client)
    await machine.reset({ graceful: false, reboot: true, partitions: ['EPHEMERAL'] })
  } catch (error) {
    // It is at it already.
    if (statusCode(error) !== status.FAILED_PRECONDITION) throw error
  }
}
