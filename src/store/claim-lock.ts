import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { Limit } from '../lib/limit.ts'
import { randomHex } from '../lib/random.ts'
import { type Checked, waitFor } from '../lib/wait-for.ts'
import { HeldLock, lockCommit, readLock } from './held-lock.ts'
import { judgeLock, type LockRecord, newLock } from './lock-record.ts'
import { type PublishEnvironment, publishAlone } from './publish.ts'
import { describeRun, type RunIdentity } from './run-identity.ts'
import { withFallback } from './with-fallback.ts'

export interface ClaimOptions {
  /** How long to wait for whoever holds it; 0 tries once. */
  readonly waitMs: number
  /** Proof that a run has ended (true) or goes on (false); undefined when nobody can tell. */
  readonly isRunOver?: (owner: RunIdentity) => Promise<boolean | undefined>
  /** Told while waiting, whenever the reason changes. */
  readonly onWaiting?: (reason: string) => void
  /** Told when a lock of another run is broken, with whose it was and why. */
  readonly onBroken?: (record: LockRecord, why: 'over' | 'expired') => void
}

/** How often a held lock is looked at: the remote's limits are shared with everybody's work. */
const pollMs = 15_000

/**
 * Takes the lock of a cluster: creates its ref where there is none, or moves it on where it may be broken,
 * always on condition that nobody was faster. Throws `state-locked`, naming the holder, when the wait ends
 * in vain.
 */
export async function claimLock(
  target: { readonly ref: string; readonly cluster: string; readonly owner: RunIdentity },
  options: ClaimOptions,
  environment: PublishEnvironment,
  serially: Limit,
): Promise<HeldLock> {
  const { clock, random, signal } = environment
  const nonce = randomHex(random, 16)
  let reason = ''
  try {
    return await waitFor(
      `the lock of ${target.cluster}`,
      () =>
        serially(() =>
          withFallback(environment.repository, () =>
            tryClaim(target, nonce, options, environment, serially),
          ),
        ),
      {
        clock,
        everyMs: pollMs,
        withinMs: options.waitMs,
        signal,
        onPending: (pending) => {
          reason = pending
          options.onWaiting?.(pending)
        },
      },
    )
  } catch (error) {
    if (!isClusterError(error, 'wait-timeout')) throw error
    throw locked(reason, options.waitMs, target)
  }
}

async function tryClaim(
  { ref, cluster, owner }: { ref: string; cluster: string; owner: RunIdentity },
  nonce: string,
  options: ClaimOptions,
  environment: PublishEnvironment,
  serially: Limit,
): Promise<Checked<HeldLock>> {
  const { repository, clock } = environment
  const found = await readLock(repository, ref)
  if (found && !found.record) {
    return { pending: 'a lock is there that cannot be read, so somebody holds it' }
  }
  const verdict = found?.record && (await judge(found.record, owner, clock.now(), options))
  if (typeof verdict === 'object' && found?.record) {
    return { pending: `${describeRun(found.record.owner)} holds it: ${verdict.held}` }
  }
  const record = newLock(cluster, owner, nonce, clock.now())
  const [commit] = await repository.commit([lockCommit(record, found?.commit)], clock.now())
  if (commit === undefined) throw new Error('git made no commit')
  const result = await publishAlone({ ref, expected: found?.commit, next: commit }, environment)
  if (result === 'rejected') return { pending: 'another run was faster' }
  if (found?.record && (verdict === 'over' || verdict === 'expired')) {
    options.onBroken?.(found.record, verdict)
  }
  return { done: new HeldLock(ref, { commit, record }, environment, serially) }
}

async function judge(
  record: LockRecord,
  claimant: RunIdentity,
  now: number,
  { isRunOver }: ClaimOptions,
) {
  const early = judgeLock(record, claimant, now, undefined)
  if (early === 'ours' || !isRunOver) return early
  return judgeLock(record, claimant, now, await isRunOver(record.owner))
}

function locked(
  reason: string,
  waitMs: number,
  { ref, cluster }: { ref: string; cluster: string },
): ClusterError {
  const waited = waitMs > 0 ? ` after ${Math.ceil(waitMs / 60_000)} min of waiting` : ''
  const branch = ref.replace('refs/heads/', '')
  return new ClusterError('state-locked', `the cluster ${cluster} is locked${waited}: ${reason}`, {
    hint: `Let that run end, or wait longer; \`hcloud-talos unlock\` says whether it may be broken. Only if you know that it is dead, delete the branch ${branch}.`,
    operation: 'lock the cluster',
    target: ref,
  })
}
