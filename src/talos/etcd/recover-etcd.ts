import type { Checked } from '../../lib/wait-for.ts'
import { talosApi } from '../api/talos-api.ts'
import type { ControlPlane } from '../control-plane.ts'
import { type TalosWaitOptions, waitForTalos } from '../wait-for-talos.ts'
import { judgeEtcd } from './judge-etcd.ts'
import { settleBeginning } from './settle-beginning.ts'

export interface RecoverOptions extends TalosWaitOptions {
  /** The one on which etcd begins; the others join. None of them may have data of etcd. */
  readonly first: ControlPlane
  /** The plain snapshot, each time again. */
  readonly read: () => AsyncIterable<Uint8Array>
}

/**
 * Lets etcd start over on one control plane with the content of a snapshot, and returns when it has a
 * leader. Of the snapshot nothing counts until the last byte has arrived. A call whose answer was lost is
 * understood. Throws `wait-timeout`, and what reading the snapshot throws.
 */
export function recoverEtcd({ first, read, ...options }: RecoverOptions): Promise<void> {
  let asked = false
  const step = async (): Promise<Checked<void>> => {
    const condition = await judgeEtcd(first.client)
    if (condition === 'alive') return { done: undefined }
    if (asked || condition !== 'empty') return { pending: `etcd starts on ${first.name}` }
    asked = await settleBeginning(async () => {
      const { machine } = talosApi(first.client)
      await machine.etcdRecover(read())
      await machine.bootstrap({ recoverEtcd: true })
    })
    return { pending: asked ? `etcd starts on ${first.name}` : `${first.name} is not ready for it` }
  }
  return waitForTalos(`etcd to begin with the snapshot on ${first.name}`, step, options, {
    defaultMs: 15 * 60_000,
    hint: `See \`hcloud-talos talos logs etcd -n ${first.name}\` for the reason; run the same command again, or with another snapshot.`,
  })
}
