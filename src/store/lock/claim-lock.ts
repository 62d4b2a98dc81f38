import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { Limit } from '../../lib/limit.ts'
import { randomHex } from '../../lib/random.ts'
import { describeRun, type EndProof, type RunIdentity } from '../../lib/run-identity.ts'
import { type Checked, waitFor } from '../../lib/wait-for.ts'
import { type PublishEnvironment, publishAlone } from '../publish.ts'
import { withFallback } from '../with-fallback.ts'
import { HeldLock, lockCommit, readLock } from './held-lock.ts'
import { judgeLock, type LockRecord, newLock } from './lock-record.ts'
import { LockWatch } from './lock-watch.ts'

export interface ClaimOptions {
  /** How long to wait for whoever holds it; 0 tries once. Only a wait longer than lease and grace sees it expire. */
  readonly waitMs: number
  readonly isRunOver?: EndProof
  /** A process of our own job that has ended and is cleaned up after: what it held is taken at once, in our own name. */
  readonly actsFor?: string | undefined
  /** Told while waiting, whenever the reason changes. */
  readonly onWaiting?: (reason: string) => void
  /** Told when a lock of another run is broken, with whose it was and why. */
  readonly onBroken?: (record: LockRecord, why: 'over' | 'expired') => void
}

/** How often a held lock is looked at: the remote's limits are shared with everybody's work. */
const pollMs = 15_000

/**
 * Takes the lock of a cluster: creates its ref where there is none, or moves it on where it may be broken,
 * always on condition that nobody was faster. Throws `state-locked`, naming the holder, when the wait times
 * out; `state-ref-blocked` where another branch takes its name.
 */
export async function claimLock(
  target: { readonly ref: string; readonly cluster: string; readonly owner: RunIdentity },
  options: ClaimOptions,
  environment: PublishEnvironment,
  serially: Limit,
): Promise<HeldLock> {
  const { clock, random, signal } = environment
  const nonce = randomHex(random, 16)
  const watch = new LockWatch(clock)
  let reason = ''
  try {
    return await waitFor(
      `the lock of ${target.cluster}`,
      () =>
        serially(() =>
          withFallback(environment.repository, () =>
            tryClaim({ ...target, nonce, watch }, options, environment, serially),
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
  {
    ref,
    cluster,
    owner,
    nonce,
    watch,
  }: { ref: string; cluster: string; owner: RunIdentity; nonce: string; watch: LockWatch },
  options: ClaimOptions,
  environment: PublishEnvironment,
  serially: Limit,
): Promise<Checked<HeldLock>> {
  const { repository, clock } = environment
  const found = await readLock(repository, ref)
  if (found && !found.record) {
    return { pending: 'a lock is there that cannot be read, so somebody holds it' }
  }
  const stillMs = found ? watch.see(found.commit) : 0
  const verdict = found?.record && (await judge(found.record, owner, stillMs, options))
  if (typeof verdict === 'object' && found?.record) {
    return { pending: `held by ${describeRun(found.record.owner)}: ${verdict.held}` }
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
  stillMs: number,
  { isRunOver, actsFor }: ClaimOptions,
) {
  const early = judgeLock(record, claimant, { stillMs, isOver: undefined, actsFor })
  if (typeof early === 'string' || !isRunOver) return early
  return judgeLock(record, claimant, { stillMs, isOver: await isRunOver(record.owner), actsFor })
}

function locked(
  reason: string,
  waitMs: number,
  { ref, cluster }: { ref: string; cluster: string },
): ClusterError {
  const waited = waitMs > 0 ? ` after ${Math.ceil(waitMs / 60_000)} min of waiting` : ''
  const branch = ref.replace('refs/heads/', '')
  return new ClusterError('state-locked', `the cluster ${cluster} is locked${waited}: ${reason}`, {
    hint: `Let that run end; \`hcloud-talos unlock\` watches the lock and breaks it when its holder is dead. Delete the branch ${branch} only if you know that nobody works on the cluster.`,
    operation: 'lock the cluster',
    target: ref,
  })
}
