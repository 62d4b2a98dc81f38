import { readLock } from './held-lock.ts'
import { graceMs, judgeLock, type LockRecord } from './lock-record.ts'
import { type PublishEnvironment, publishAlone } from './publish.ts'
import type { RunIdentity } from './run-identity.ts'

export interface BreakOptions {
  /** Proof that a run has ended (true) or goes on (false); undefined when nobody can tell. */
  readonly isRunOver?: ((owner: RunIdentity) => Promise<boolean | undefined>) | undefined
}

/** A lock as it was found, and what may be done about it. */
export interface FoundLock {
  readonly commit: string
  /** Undefined where it cannot be read, which means that somebody holds it. */
  readonly record: LockRecord | undefined
  readonly verdict: LockVerdict
}

/**
 * `over`: its run is proven to have ended; `expired`: nobody can tell, and its time and the grace are past;
 * `held`: neither, and when it may be broken at the earliest, in milliseconds since the epoch, where that can be
 * said.
 */
export type LockVerdict =
  | { readonly kind: 'over' | 'expired' }
  | { readonly kind: 'held'; readonly why: string; readonly until?: number }

/** Looks at a lock, and judges by the rules of a claim whether it may be broken. Throws `state-unreachable`. */
export async function findLock(
  { ref, owner }: { readonly ref: string; readonly owner: RunIdentity },
  { isRunOver }: BreakOptions,
  { repository, clock }: PublishEnvironment,
): Promise<FoundLock | undefined> {
  const found = await readLock(repository, ref)
  if (!found) return undefined
  const { commit, record } = found
  if (!record) {
    const why = 'it cannot be read, so somebody holds it'
    return { commit, record, verdict: { kind: 'held', why } }
  }
  const isOver = await isRunOver?.(record.owner)
  const verdict = judgeLock(record, owner, clock.now(), isOver)
  if (verdict === 'ours' || verdict === 'over') return { commit, record, verdict: { kind: 'over' } }
  if (verdict === 'expired') return { commit, record, verdict: { kind: 'expired' } }
  const until = Date.parse(record.expiresAt) + graceMs
  // A run that is known to go on renews its lock: no time can be named.
  const held = { kind: 'held', why: verdict.held } as const
  return { commit, record, verdict: isOver === false ? held : { ...held, until } }
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
