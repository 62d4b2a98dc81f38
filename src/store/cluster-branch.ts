import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { Limit } from '../lib/limit.ts'
import { type Random, randomFraction } from '../lib/random.ts'
import type { Redactor } from '../lib/redactor.ts'
import { BranchShape } from './files/branch-shape.ts'
import { manifestPath, stateRef } from './files/layout.ts'
import { digest, type Manifest } from './files/manifest.ts'
import { type Generation, type ReadOptions, readGeneration } from './generation.ts'
import type { PrivateRepository, RefUpdate } from './git/private-repository.ts'
import type { HeldLock } from './lock/held-lock.ts'
import { lockLost } from './lock/lock-lost.ts'
import { publish } from './publish.ts'
import type { FileChanges } from './state-changes.ts'
import { refuseOtherPast } from './trust/refuse-older.ts'
import { withFallback } from './with-fallback.ts'

export interface ClusterBranchOptions {
  readonly repository: PrivateRepository
  /** The branch, the cluster on it, and who is believed. */
  readonly reading: ReadOptions
  readonly clock: Clock
  readonly random: Random
  readonly redactor: Redactor
  readonly signal?: AbortSignal | undefined
}

/** The head of the state branch, and our cluster's generation at it; undefined where there is none. */
export interface Known {
  readonly head: string | undefined
  readonly generation: Generation | undefined
}

/** What a writer wants at a head: files to change, or none, and what is known once that is so. */
export interface Proposal {
  readonly files: FileChanges | undefined
  /** Makes a commit without a past, which holds the whole branch as it is: everything before it goes. */
  readonly isRoot?: boolean
  /** Takes off the branch what no state branch has, whosever folder it is in. */
  readonly dropsForeign?: boolean
  /** Of the next generation; undefined when the cluster goes. */
  readonly manifest: Manifest | undefined
  after(commit: string): Generation | undefined
}

/** A proposal that was pushed, and what it takes to recognize it on the branch. */
interface Sent {
  readonly commit: string
  readonly proposal: Proposal
  readonly updates: readonly RefUpdate[]
  arrived(): Generation | undefined
}

/** How one attempt ended: written, or another writer was first and it is made again on what that wrote. */
type Attempt = { readonly written: Generation | undefined } | 'lost'

const mostAttempts = 100
const longestPauseMs = 60_000

/**
 * How long to stay away at most after losing: a multiple of what an attempt takes, which says how far the
 * remote is and how busy, so that many writers spread out and one that lost by chance is back soon.
 */
function pause(lost: number, attemptMs: number): number {
  return Math.min(longestPauseMs, attemptMs * 2 ** Math.min(lost + 2, 6))
}

/** How far back our commit is looked for when others have built upon it. */
const searchDepth = 64

/**
 * One cluster's part of the state branch: reads it verified, and writes it by compare-and-swap. Not safe for
 * calls at the same time; the store makes them one after another, by `serially`.
 */
export class ClusterBranch {
  readonly #options: ClusterBranchOptions
  readonly #serially: Limit
  #known: Known | undefined
  /** While it is held, every write moves it along. */
  lock: HeldLock | undefined

  constructor(options: ClusterBranchOptions, serially: Limit) {
    this.#options = options
    this.#serially = serially
  }

  /** What was read or written last, without asking the remote. */
  get known(): Known | undefined {
    return this.#known
  }

  /** What is there now. Throws `state-unreachable` and what `readGeneration` does; nor is a state believed that went back or vanished since it was read. */
  fetch(): Promise<Known> {
    return this.#serially(() => this.#fetch())
  }

  /**
   * Publishes what `propose` answers to the newest generation, asking it again on the fresh head whenever
   * another writer was first. Throws `state-fenced` when the lock was lost.
   */
  write(propose: (known: Known) => Promise<Proposal>, message: string) {
    return this.#serially(() => this.#race(propose, message))
  }

  /**
   * Publishes a proposal upon this very head, which need not be one that `fetch` believes, or where there is no branch; false when the branch is
   * elsewhere by now. Throws `state-fenced` when the lock was lost.
   */
  writeUpon(head: string | undefined, proposal: Proposal, message: string): Promise<boolean> {
    const attempt = async () => {
      if (this.lock?.lost.aborted) throw this.#fenced()
      const sent = await this.#prepare(head, proposal, message)
      const isAccepted = (await publish(sent.updates, this.#options)) === 'accepted'
      // A rejected one may have arrived without our knowing, and was then in its own way.
      const { repository, reading } = this.#options
      const isThere = () => repository.contains(stateRef(reading.branch), sent.commit, searchDepth)
      if (!(isAccepted || (await isThere()))) return false
      sent.arrived()
      return true
    }
    return this.#serially(() => withFallback(this.#options.repository, attempt))
  }

  async #fetch(): Promise<Known> {
    const { repository, reading } = this.#options
    const head = await repository.fetchTree(stateRef(reading.branch))
    const former = this.#known
    if (former === undefined || former.head !== head) {
      const generation =
        head === undefined ? undefined : await readGeneration(repository, head, reading)
      if (former?.generation && !generation) throw this.#vanished()
      if (former?.generation && generation) refuseOtherPast(former.generation, generation)
      this.#known = { head, generation }
      return this.#known
    }
    return former
  }

  async #race(
    propose: (known: Known) => Promise<Proposal>,
    message: string,
  ): Promise<Generation | undefined> {
    const { clock, random, signal } = this.#options
    let sent: Sent | undefined
    const attempt = async (): Promise<Attempt> => {
      if (this.lock?.lost.aborted) throw this.#fenced()
      const known = (sent ? undefined : this.#known) ?? (await this.#fetch())
      if (sent && (await this.#hasLanded(sent, known))) return { written: sent.arrived() }
      if (sent && this.lock && !(await this.lock.isOurs())) throw this.#fenced()
      const proposal = await propose(known)
      if (proposal.files === undefined) return { written: known.generation }
      sent = await this.#prepare(known.head, proposal, message)
      const result = await publish(sent.updates, this.#options)
      return result === 'accepted' ? { written: sent.arrived() } : 'lost'
    }
    for (let lost = 0; lost < mostAttempts; lost++) {
      const began = clock.now()
      const result = await withFallback(this.#options.repository, attempt)
      if (result !== 'lost') return result.written
      await clock.sleep(pause(lost, clock.now() - began) * randomFraction(random), signal)
    }
    throw this.#outrun()
  }

  async #prepare(head: string | undefined, proposal: Proposal, message: string): Promise<Sent> {
    const { repository, reading, clock, redactor } = this.#options
    const { branch, cluster } = reading
    const inFolder = [...(proposal.files ?? [])].map(
      ([path, content]) => [`${cluster}/${path}`, content] as const,
    )
    const parent = proposal.isRoot ? undefined : head
    const isComplete = Boolean(proposal.isRoot || proposal.dropsForeign)
    const kept = isComplete && head !== undefined ? await this.#kept(head, proposal) : []
    const changed = new Map<string, Uint8Array | undefined>([...kept, ...inFolder])
    const request = {
      parent,
      message: redactor.redact(message),
      isComplete,
      // Without a base there is nothing to remove.
      files: new Map([...changed].filter(([, content]) => !isComplete || content !== undefined)),
    }
    const renewal = this.lock?.renewal()
    const requests = renewal ? [request, renewal.request] : [request]
    const [commit, renewed] = await repository.commit(requests, clock.now())
    if (commit === undefined) throw new Error('git made no commit')
    const state = { ref: stateRef(branch), expected: head, next: commit }
    return {
      commit,
      proposal,
      updates: renewal && renewed !== undefined ? [state, renewal.update(renewed)] : [state],
      arrived: () => {
        if (renewed !== undefined) renewal?.moved(renewed)
        const generation = proposal.after(commit)
        this.#known = { head: commit, generation }
        return generation
      },
    }
  }

  /**
   * The files of the branch, those of other clusters as well. What is foreign is left out by not being named: a name
   * can be of any bytes, and not every way of publishing can say it.
   */
  async #kept(head: string, { dropsForeign }: Proposal): Promise<[string, Uint8Array][]> {
    const { repository } = this.#options
    const entries = await repository.listTree(head)
    const foreign = new Set(dropsForeign ? new BranchShape(entries).foreignPaths : [])
    const staying = entries.filter(({ path }) => !foreign.has(path))
    const contents = await repository.readObjects(staying.map(({ object }) => object))
    return staying.map(({ path }, index) => [path, contents[index] ?? new Uint8Array()])
  }

  /**
   * Whether a push that was rejected is on the branch after all: it had arrived without our knowing, was then
   * in its own way, and others may have built upon it.
   */
  async #hasLanded({ commit, proposal }: Sent, { head, generation }: Known): Promise<boolean> {
    const { repository, reading } = this.#options
    if (head === commit) return true
    const { manifest: written, files } = proposal
    if (!generation || !written) return false
    const ahead = generation.manifest.generation - written.generation
    if (ahead <= 0) return generation.manifest.writer.nonce === written.writer.nonce
    if (ahead === 1) {
      return generation.manifest.previous === digest(files?.get(manifestPath) ?? new Uint8Array())
    }
    return await repository.contains(stateRef(reading.branch), commit, searchDepth)
  }

  #fenced(): ClusterError {
    const loss = this.lock?.lost.reason === 'expired' ? 'expired' : 'taken'
    return lockLost(loss, this.#options.reading.cluster)
  }

  #vanished(): ClusterError {
    const { branch, cluster } = this.#options.reading
    return new ClusterError(
      'state-missing',
      `the state of the cluster ${cluster} vanished from the branch ${branch} while this run worked`,
      {
        hint: 'Restore the branch. Nothing was started over in its place.',
        operation: 'read the state branch',
        target: cluster,
      },
    )
  }

  #outrun(): ClusterError {
    return new ClusterError('state-unreachable', 'other writers were faster a hundred times', {
      hint: 'Run again when fewer runs write to this branch.',
      operation: 'write the state branch',
      target: this.#options.reading.branch,
    })
  }
}
