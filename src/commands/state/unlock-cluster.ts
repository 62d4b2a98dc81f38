import { ClusterError } from '../../lib/cluster-error.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { FoundLock } from '../../store/lock/break-lock.ts'
import type { LockRecord } from '../../store/lock/lock-record.ts'
import { readClusterFile } from '../modes/cluster-modes.ts'

export interface UnlockedCluster {
  readonly clusterName: string
  /** Undefined where nobody held it. */
  readonly lock: LockRecord | undefined
  /** By what proof it was broken; undefined where there was nothing to break. */
  readonly because: 'over' | 'expired' | undefined
}

export interface UnlockProgress {
  /** Called with whose lock it is, before anything is done. */
  readonly onFound?: (found: FoundLock) => void
  /** Called while the lock is watched, whenever there is something new. */
  readonly onWaiting?: (reason: string) => void
}

/**
 * Takes the lock of a cluster away from a job or process that is proven to have ended, or that does not renew it
 * while it is watched for a lease and the grace. A lock that moves meanwhile is left alone. Needs no token and no
 * identity. Throws `state-locked`.
 */
export async function unlockCluster(
  context: RunContext,
  file: ClusterFile,
  progress: UnlockProgress = {},
): Promise<UnlockedCluster> {
  const { spec } = readClusterFile(file)
  const { clusterName } = spec
  await using store = await openStateStore(context, spec)
  const { isRunOver } = context.run
  const found = await store.watchLock({ isRunOver, ...progress })
  if (!found) return { clusterName, lock: undefined, because: undefined }
  const { record, verdict } = found
  if (verdict.kind === 'held') {
    const hint = record
      ? 'Let that run end, or cancel it where it runs.'
      : 'Delete the branch by hand only if you know that nobody works on the cluster.'
    throw held(clusterName, verdict.why, hint)
  }
  if (!(await store.breakLock(found))) {
    const why = 'it was renewed or taken while it was looked at'
    throw held(clusterName, why, 'Run `hcloud-talos unlock` again.')
  }
  return { clusterName, lock: record, because: verdict.kind }
}

function held(clusterName: string, why: string, hint: string): ClusterError {
  return new ClusterError('state-locked', `the lock of ${clusterName} may not be broken: ${why}`, {
    operation: 'unlock',
    target: clusterName,
    hint,
  })
}
