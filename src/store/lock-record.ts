import { z } from 'zod'
import type { RunIdentity } from './run-identity.ts'

/** How long a lock lasts without a sign of life; long enough for several lost heartbeats. */
export const leaseMs = 10 * 60_000
export const heartbeatMs = 60_000
/** How much longer it is respected: clocks differ, and a push may be under way. */
export const graceMs = 5 * 60_000

export const lockFile = 'lock.json'

const recordSchema = z.object({
  format: z.literal(1),
  cluster: z.string(),
  owner: z.object({
    run: z.string(),
    attempt: z.number().int(),
    host: z.string(),
    url: z.string().optional(),
  }),
  /** Makes the commit unlike any other: git takes a push of what is there already for a success. */
  nonce: z.string(),
  acquiredAt: z.iso.datetime(),
  renewedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

/** Who holds the lock of a cluster, and until when. */
export type LockRecord = z.infer<typeof recordSchema>

/** Reads a lock; undefined when it cannot be read, which means that somebody holds it. */
export function parseLock(content: Uint8Array): LockRecord | undefined {
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

/**
 * Whether a lock may be taken. Ours is what this very run and attempt hold, so that a claim whose answer
 * was lost can be made again. That of another goes only with proof that its run is over (`isOver`), or,
 * where nobody can tell, when it expired longer ago than the grace.
 */
export function judgeLock(
  record: LockRecord,
  claimant: RunIdentity,
  now: number,
  isOver: boolean | undefined,
): ClaimVerdict {
  const { owner } = record
  if (owner.run === claimant.run && owner.attempt === claimant.attempt) return 'ours'
  if (isOver) return 'over'
  if (isOver === false) return { held: 'its run is still going' }
  if (now > Date.parse(record.expiresAt) + graceMs) return 'expired'
  return { held: `it lasts until ${record.expiresAt} unless it is renewed` }
}
