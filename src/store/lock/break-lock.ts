import { describeRun, type EndProof, type RunIdentity } from '../../lib/run-identity.ts'
import { type Checked, waitFor } from '../../lib/wait-for.ts'
import { type PublishEnvironment, publishAlone } from '../publish.ts'
import { readLock } from './held-lock.ts'
import { graceMs, judgeLock, type LockRecord, leaseMs } from './lock-record.ts'
import { LockWatch } from './lock-watch.ts'

export interface BreakOptions {
  readonly isRunOver?: EndProof | undefined
}

export interface WatchOptions extends BreakOptions {
  /** Called with what is there at first. */
  readonly onFound?: (found: FoundLock) => void
  /** Called while watching, whenever the reason changes. */
  readonly onWaiting?: (reason: string) => void
}

/** A lock as it was found, and what may be done about it. */
export interface FoundLock {
  readonly commit: string
  /** Undefined where it cannot be read, which means that somebody holds it. */
  readonly record: LockRecord | undefined
  readonly verdict: LockVerdict
}

/**
 * `over`: the job that holds it is proven to have ended; `expired`: it was watched for a lease and the grace and
 * did not move; `held`: neither.
 */
export type LockVerdict =
  | { readonly kind: 'over' | 'expired' }
  | { readonly kind: 'held'; readonly why: string }

interface LockTarget {
  readonly ref: string
  readonly owner: RunIdentity
}

/** How often a lock is looked at while it is watched. */
const pollMs = 15_000

/** Looks at a lock once, and judges by the rules of a claim whether it may be broken. Throws `state-unreachable`. */
export function findLock(
  target: LockTarget,
  options: BreakOptions,
  environment: PublishEnvironment,
): Promise<FoundLock | undefined> {
  return inspect(target, options, environment, new LockWatch(environment.clock))
}

/**
 * Watches a lock until it is clear what may be done about it: at once where its holder's job is proven to have
 * ended or it cannot be read, at its next move where its holder lives, and after a lease and the grace otherwise.
 * Undefined where nobody holds it, or nobody any more. Throws `state-unreachable`.
 */
export async function watchLock(
  target: LockTarget,
  options: WatchOptions,
  environment: PublishEnvironment,
): Promise<FoundLock | undefined> {
  const { clock, signal } = environment
  const watch = new LockWatch(clock)
  let first: FoundLock | undefined
  const check = async (): Promise<Checked<FoundLock | undefined>> => {
    const found = await inspect(target, options, environment, watch)
    if (!found) return { done: undefined }
    if (!first) options.onFound?.(found)
    first ??= found
    if (found.verdict.kind !== 'held' || !found.record) return { done: found }
    if (found.commit !== first.commit) return { done: moved(found.record, found.commit) }
    return { pending: `held by ${describeRun(found.record.owner)}: ${found.verdict.why}` }
  }
  return await waitFor('the lock to be renewed or to expire', check, {
    clock,
    everyMs: pollMs,
    // The verdict comes before that.
    withinMs: leaseMs + graceMs + 4 * pollMs,
    signal,
    onPending: (reason) => options.onWaiting?.(reason),
  })
}

function moved(record: LockRecord, commit: string): FoundLock {
  const why = 'it was renewed while it was watched, so its holder is alive'
  return { commit, record, verdict: { kind: 'held', why } }
}

async function inspect(
  { ref, owner }: LockTarget,
  { isRunOver }: BreakOptions,
  { repository }: PublishEnvironment,
  watch: LockWatch,
): Promise<FoundLock | undefined> {
  const found = await readLock(repository, ref)
  if (!found) return undefined
  const { commit, record } = found
  const stillMs = watch.see(commit)
  if (!record) {
    const why = 'it cannot be read, so somebody holds it'
    return { commit, record, verdict: { kind: 'held', why } }
  }
  const isOver = await isRunOver?.(record.owner)
  const verdict = judgeLock(record, owner, { stillMs, isOver })
  if (verdict === 'ours' || verdict === 'over') return { commit, record, verdict: { kind: 'over' } }
  if (verdict === 'expired') return { commit, record, verdict: { kind: 'expired' } }
  return { commit, record, verdict: { kind: 'held', why: verdict.held } }
}

/**
 * Takes a lock away that may be broken, on condition that it has not moved since it was looked at: a holder that
 * renews it meanwhile keeps it. Whoever held it can write nothing any more. Throws `state-push-refused`,
 * `state-unreachable`.
 */
export async function breakLock(
  ref: string,
  { commit, verdict }: FoundLock,
  environment: PublishEnvironment,
): Promise<boolean> {
  if (verdict.kind === 'held') throw new Error('a lock that is held is not broken')
  const update = { ref, expected: commit, next: undefined }
  return (await publishAlone(update, environment)) === 'accepted'
}
