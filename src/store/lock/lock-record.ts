import { z } from 'zod'
import { isSameJob, type RunIdentity, type RunOwner } from '../../lib/run-identity.ts'

/** How long a holder may go on without renewing its lock; long enough for several lost heartbeats. */
export const leaseMs = 10 * 60_000
export const heartbeatMs = 60_000
/** How much longer others respect it: a push of its holder may be under way. */
export const graceMs = 5 * 60_000

export const lockFile = 'lock.json'

/** Anybody who may push can write a lock: each field has the shape of what we write, and is no longer than that. */
const text = z
  .string()
  .max(255)
  .regex(/^\P{Cc}*$/u)
const name = z.string().regex(/^[\w.-]{1,128}$/)
const time = z.iso.datetime().max(40)
const longestRecord = 8_192

const recordSchema = z.object({
  format: z.literal(1),
  cluster: name,
  owner: z.object({
    run: name,
    attempt: z.number().int().min(0).max(1_000_000),
    host: text,
    url: text.regex(/^https?:\/\/[^\s<>"'`]+$/).optional(),
    job: z.object({ name: text, runner: text.optional(), leg: name.optional() }).optional(),
    process: name.optional(),
  }),
  /** Makes the commit unlike any other: git takes a push of what is there already for a success. */
  nonce: name,
  /** By the holder's calendar, for people: nothing is decided by comparing them with another clock. */
  acquiredAt: time,
  renewedAt: time,
  expiresAt: time,
})

/** Who holds the lock of a cluster, and since when. */
export type LockRecord = z.infer<typeof recordSchema>

/** Reads a lock; undefined when it cannot be read, which means that somebody holds it. */
export function parseLock(content: Uint8Array): LockRecord | undefined {
  if (content.length > longestRecord) return undefined
  try {
    return recordSchema.parse(JSON.parse(Buffer.from(content).toString('utf8')))
  } catch {
    return undefined
  }
}

export function newLock(
  cluster: string,
  owner: RunIdentity,
  nonce: string,
  now: number,
): LockRecord {
  const at = new Date(now).toISOString()
  return renewLock(
    { format: 1, cluster, owner, nonce, acquiredAt: at, renewedAt: at, expiresAt: at },
    now,
  )
}

export function renewLock(record: LockRecord, now: number): LockRecord {
  return {
    ...record,
    renewedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + leaseMs).toISOString(),
  }
}

/** What a claim may do about the lock that it finds: take it, or wait because of `held`. */
export type ClaimVerdict = 'ours' | 'over' | 'expired' | { readonly held: string }

/** What is known of a lock that was found. */
export interface LockEvidence {
  /** For how long it has not moved, by the claimant's own clock. */
  readonly stillMs: number
  /** Proof that its holder's job has ended (true) or goes on (false). */
  readonly isOver: boolean | undefined
  /** A process of the claimant's job that it cleans up after. */
  readonly actsFor?: string | undefined
}

/**
 * Whether a lock may be taken. Ours is what this very process of this very job and attempt holds, so that a claim
 * whose answer was lost can be made again, and what the process held that a step which cleans up speaks for. That of
 * another goes with proof that its job or its process has ended, or when it has not moved for a lease and the grace,
 * whatever is said of its job: a holder that lives renews it.
 */
export function judgeLock(
  record: LockRecord,
  claimant: RunIdentity,
  { stillMs, isOver, actsFor }: LockEvidence,
): ClaimVerdict {
  const ofThisJob = isSameJob(record.owner, claimant)
  const processes = [claimant.process, ...(actsFor === undefined ? [] : [actsFor])]
  if (ofThisJob && isOneOf(record.owner, processes)) return 'ours'
  if (isOver) return 'over'
  const leftMs = leaseMs + graceMs - stillMs
  if (leftMs < 0) return 'expired'
  const minutes = Math.max(1, Math.ceil(leftMs / 60_000))
  const job = isOver === false ? 'its job is still running; ' : ''
  const step = ofThisJob ? 'by another step of this job; ' : job
  return { held: `${step}it gives up its lease in ${minutes} min unless it renews the lock` }
}

/** Steps of a job may run side by side. A lock that names no process is of a version that could not tell them apart. */
function isOneOf({ process }: RunOwner, processes: readonly (string | undefined)[]): boolean {
  return process === undefined || processes.some((one) => one === undefined || one === process)
}
