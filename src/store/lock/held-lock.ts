import { isClusterError } from '../../lib/cluster-error.ts'
import type { Limit } from '../../lib/limit.ts'
import { jsonFile } from '../files/json-file.ts'
import type { CommitRequest } from '../git/commit-stream.ts'
import type { PrivateRepository, RefUpdate } from '../git/private-repository.ts'
import { type PublishEnvironment, publishAlone } from '../publish.ts'
import {
  heartbeatMs,
  type LockRecord,
  leaseMs,
  lockFile,
  parseLock,
  renewLock,
} from './lock-record.ts'

/** Longest time for giving a lock back in all: a run that is being ended has seven seconds for everything. */
const releaseTimeoutMs = 5_000

/** `taken`: another run has the lock. `expired`: it could not be renewed for a lease, so another run may have it. */
export type LockLoss = 'taken' | 'expired'

/**
 * The lock of a cluster while this run holds it. It is renewed by every state write and by a heartbeat;
 * `lost` aborts, with a `LockLoss` as its reason, when another run has taken it or may do so, and from then on
 * nothing can be written.
 */
export class HeldLock {
  readonly ref: string
  readonly #environment: PublishEnvironment
  readonly #serially: Limit
  readonly #lost = new AbortController()
  readonly #released = new AbortController()
  #commit: string
  #record: LockRecord
  /** When the newest renewal that arrived was sent, by this process's clock. */
  #renewedAt: number

  /** `serially` is shared with the state's writer: a heartbeat and a write never overtake each other. */
  constructor(
    ref: string,
    held: { readonly commit: string; readonly record: LockRecord },
    environment: PublishEnvironment,
    serially: Limit,
  ) {
    this.ref = ref
    this.#commit = held.commit
    this.#record = held.record
    this.#environment = environment
    this.#serially = serially
    this.#renewedAt = environment.clock.now()
  }

  get record(): LockRecord {
    return this.#record
  }

  /** Aborts when the lock turns out to be another's, or may be. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** The renewal that a write takes along: the commit to make, the ref to move, and what to call after. */
  renewal(): {
    readonly request: CommitRequest
    update(commit: string): RefUpdate
    moved(commit: string): void
  } {
    const sentAt = this.#environment.clock.now()
    const record = renewLock(this.#record, sentAt)
    const expected = this.#commit
    return {
      request: lockCommit(record, expected),
      update: (next) => ({ ref: this.ref, expected, next }),
      moved: (commit) => {
        this.#commit = commit
        this.#record = record
        this.#renewedAt = sentAt
      },
    }
  }

  /**
   * Asks the remote whether the lock is still ours; if not, it is lost for good. A renewal of ours that had
   * arrived without our knowing is recognized by its nonce, and gone on from.
   */
  async isOurs(): Promise<boolean> {
    if (this.lost.aborted) return false
    const found = await readLock(this.#environment.repository, this.ref)
    if (found && found.record?.nonce === this.#record.nonce) {
      this.#commit = found.commit
      return true
    }
    this.#lose('taken')
    return false
  }

  /** The same for a holder that is about to act and writes nothing: `lost` aborts before this answers no. */
  async isStillOurs(): Promise<boolean> {
    return this.#serially(() => this.isOurs())
  }

  /**
   * Renews now and then until released or lost. It is lost when no renewal arrived for a lease: others take it
   * after the grace, and by then this run has stopped. Never rejects.
   */
  async heartbeat(): Promise<void> {
    const { clock } = this.#environment
    const over = AbortSignal.any([this.#released.signal, this.lost])
    while (!over.aborted) {
      try {
        await clock.sleep(heartbeatMs, over)
        if (await this.#serially(() => this.#renew())) continue
      } catch {
        // A heartbeat that fails is made up for by the next one, until the lease has run out.
      }
      const stillMs = clock.now() - this.#renewedAt
      if (!over.aborted && stillMs >= leaseMs) this.#lose('expired')
    }
  }

  #lose(loss: LockLoss): void {
    this.#lost.abort(loss)
  }

  /**
   * Gives the lock back if it is still ours; also when the run was interrupted, and also when a push of ours
   * was cut off so that only its nonce tells. Returns whether the remote answered; never throws: what stays behind expires.
   */
  async release(): Promise<boolean> {
    if (this.#released.signal.aborted) return true
    this.#released.abort()
    return this.#serially(async () => {
      const repository = this.#environment.repository.uninterrupted(releaseTimeoutMs)
      try {
        const drop = (expected: string) =>
          repository.push([{ ref: this.ref, expected, next: undefined }])
        if ((await drop(this.#commit)) === 'accepted') return true
        const found = await readLock(repository, this.ref)
        if (found?.record?.nonce === this.#record.nonce) await drop(found.commit)
        return true
      } catch {
        // The lease runs out by itself, and the end of the run is proof for the next one.
        return false
      }
    })
  }

  /** Whether the renewal arrived. */
  async #renew(): Promise<boolean> {
    if (this.#released.signal.aborted || this.lost.aborted) return false
    const { repository, clock } = this.#environment
    const renewal = this.renewal()
    const [commit] = await repository.commit([renewal.request], clock.now())
    if (commit === undefined) return false
    const result = await publishAlone(renewal.update(commit), this.#environment).catch((error) => {
      if (isClusterError(error, 'state-unreachable')) return 'unreachable'
      throw error
    })
    if (result === 'accepted') renewal.moved(commit)
    if (result === 'rejected') await this.isOurs()
    return result === 'accepted'
  }
}

/** What stands at a lock's ref: the commit, and the record unless it cannot be read. */
export async function readLock(
  repository: PrivateRepository,
  ref: string,
): Promise<{ commit: string; record: LockRecord | undefined } | undefined> {
  const commit = await repository.fetch(ref)
  if (commit === undefined) return undefined
  const entry = (await repository.listTree(commit)).find(({ path }) => path === lockFile)
  const [content] = await repository.readObjects(entry ? [entry.object] : [])
  return { commit, record: content && parseLock(content) }
}

export function lockCommit(record: LockRecord, parent: string | undefined): CommitRequest {
  return {
    parent,
    message: `Lock ${record.cluster} for ${record.owner.run}`,
    files: new Map([[lockFile, jsonFile(record)]]),
  }
}
