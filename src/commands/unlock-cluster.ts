import { ClusterError } from '../lib/cluster-error.ts'
import type { FoundLock } from '../store/break-lock.ts'
import type { LockRecord } from '../store/lock-record.ts'
import { type ClusterFile, openStateStore, readClusterFile } from './cluster-session.ts'
import type { RunContext } from './run-context.ts'

export interface UnlockedCluster {
  readonly clusterName: string
  /** Undefined where nobody held it. */
  readonly lock: LockRecord | undefined
  /** By what proof it was broken; undefined where there was nothing to break. */
  readonly because: 'over' | 'expired' | undefined
}

/**
 * Takes the lock of a cluster away from a run that is proven to have ended, or that has not been heard of for longer
 * than its lock and the grace last. `onFound` is told whose it is before that. Everything else is refused, with how
 * long to wait. Needs no token and no identity. Throws `state-locked`.
 */
export async function unlockCluster(
  context: RunContext,
  file: ClusterFile,
  onFound: (found: FoundLock) => void = () => undefined,
): Promise<UnlockedCluster> {
  const { spec } = readClusterFile(file)
  const { clusterName } = spec
  await using store = await openStateStore(context, spec)
  const { isRunOver } = context.run
  const options = isRunOver
    ? { isRunOver: (owner: LockRecord['owner']) => isRunOver(owner.run, owner.attempt) }
    : {}
  const found = await store.findLock(options)
  if (!found) return { clusterName, lock: undefined, because: undefined }
  onFound(found)
  const { record, verdict } = found
  if (verdict.kind === 'held') {
    throw held(clusterName, verdict.why, waitingTime(verdict.until, context.clock.now()))
  }
  if (!(await store.breakLock(found))) {
    throw held(clusterName, 'it was renewed or taken while it was looked at', 'Look again.')
  }
  return { clusterName, lock: record, because: verdict.kind }
}

function waitingTime(until: number | undefined, now: number): string {
  if (until === undefined) {
    return 'Let that run end, or cancel it where it runs; a lock that nobody can read is a branch that you can delete by hand when you know that nobody works on the cluster.'
  }
  const minutes = Math.max(1, Math.ceil((until - now) / 60_000))
  return `If that run is dead, try again in ${minutes} min; with GITHUB_TOKEN set, a run of GitHub that has ended is known at once.`
}

function held(clusterName: string, why: string, hint: string): ClusterError {
  return new ClusterError('state-locked', `the lock of ${clusterName} may not be broken: ${why}`, {
    operation: 'unlock',
    target: clusterName,
    hint,
  })
}
