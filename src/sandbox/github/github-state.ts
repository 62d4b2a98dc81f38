import type { JsonObject } from '../../lib/json.ts'
import type { GitObjects } from './git-objects.ts'

/** A comment on an issue or a pull request. */
export interface GithubComment {
  readonly id: number
  readonly issue: number
  body: string
  readonly author: GithubWriter
  readonly createdAt: string
  /** Of the last edit alone; absent while there was none. */
  lastEditedAt?: string
  editor?: GithubWriter
}

/** Who writes: a bot's login ends in `[bot]`. */
export interface GithubWriter {
  readonly login: string
  readonly type: 'Bot' | 'User'
}

/** A pull request. It is merged when it has a time of that; a queue and a squash give it another commit than its own. */
export interface GithubPull {
  readonly number: number
  /** A branch of the same repository. */
  readonly base: string
  head: string
  /** While it waits in a merge queue. */
  enqueuedAt?: string
  mergedAt?: string
  mergeCommit?: string
  /** Presses of buttons, the oldest first: auto-merge by the method of the merge, the queue. */
  readonly presses: { readonly type: GithubPress; readonly at: string; readonly reason?: string }[]
  readonly approvals: { readonly at: string; readonly author: GithubWriter }[]
  /** All commits by which GitHub finds it, once it knows them. */
  readonly commits: Set<string>
}

/** As GraphQL names them. */
export type GithubPress =
  | 'AutoMergeEnabledEvent'
  | 'AutoSquashEnabledEvent'
  | 'AutoRebaseEnabledEvent'
  | 'AutoMergeDisabledEvent'
  | 'AddedToMergeQueueEvent'
  | 'RemovedFromMergeQueueEvent'

export interface GithubRun {
  readonly status: 'queued' | 'in_progress' | 'waiting' | 'completed'
  readonly conclusion: 'success' | 'failure' | 'cancelled' | null
  /** Those of every attempt; a run whose jobs play no part has none listed. */
  readonly jobs?: readonly GithubJob[]
}

/** A job of one attempt of a run. Its id is that of its check run, too. */
export interface GithubJob {
  readonly id: number
  readonly attempt: number
  /** As the workflow displays it: not the key of the job, and with the values of its matrix leg. */
  readonly name: string
  readonly status: 'queued' | 'in_progress' | 'waiting' | 'completed'
  readonly conclusion: 'success' | 'failure' | 'cancelled' | null
  readonly runner: string | null
}

/** A rule that is active for the branches of these names: a prefix with a star, or a whole name. */
export interface GithubRule {
  readonly type: string
  readonly branches: string
}

export interface GithubEnvironment {
  readonly name: string
  /** Which branches may use it. */
  branches: 'any' | 'protected' | readonly string[]
  readonly secrets: string[]
}

/**
 * What a token may do: `read` and `write` are those of a job's own token (`pull-requests: write`, `contents: write`),
 * which is never told of secrets; `admin` is a classic token of somebody who runs the repository.
 */
export type GithubAccess = 'read' | 'write' | 'admin'

/** What the simulated GitHub knows of one repository. */
export class GithubRepository {
  /** Its git repository, where it has one. */
  readonly git: GitObjects | undefined
  isPrivate = true
  readonly rules: GithubRule[] = []
  readonly environments: GithubEnvironment[] = []
  /** Names of the secrets of the whole repository. */
  readonly secrets: string[] = []
  readonly comments: GithubComment[] = []
  readonly pulls: GithubPull[] = []
  /** The commits of its default branch, the newest first, where it has no git repository. */
  readonly history: string[] = []
  /** How many times more GitHub does not know yet to which pull request a commit belongs. */
  lateLookups = 0
  /** Whether tokens are not told of its merge queue. */
  hidesQueue = false
  /** With which errors the next questions of GraphQL about pull requests are answered, one after the other. */
  readonly failures: (readonly JsonObject[])[] = []
  /** Under which login a token writes; that of jobs where it is not said. */
  readonly logins = new Map<string, GithubWriter>()
  /** What time it is on GitHub. */
  now: () => number = () => Date.now()
  /** By run id. */
  readonly runs = new Map<number, GithubRun>()
  readonly tokens = new Map<string, GithubAccess>()
  /** What people may do, by login; whoever is not named may read. */
  readonly people = new Map<string, GithubAccess>()
  /** When personal tokens end, as GitHub writes it: `2026-12-24 12:00:00 UTC`. */
  readonly tokenEnds = new Map<string, string>()
  /** Longer bodies are refused; in characters. */
  longestBody = 65_536
  #nextId = 1

  constructor(git?: GitObjects) {
    this.git = git
  }

  /** A comment that is there already: somebody's, or an earlier run's. */
  addComment(
    comment: Omit<GithubComment, 'id' | 'createdAt'> & { readonly createdAt?: string },
  ): GithubComment {
    const added = { createdAt: this.#time(), ...comment, id: this.#nextId++ }
    this.comments.push(added)
    return added
  }

  /** What a button of the page does too, for whoever may write. */
  editComment(comment: GithubComment, body: string, editor: GithubWriter): void {
    Object.assign(comment, { body, editor, lastEditedAt: this.#time() })
  }

  loginOf(token: string): GithubWriter {
    return this.logins.get(token) ?? { login: 'github-actions[bot]', type: 'Bot' }
  }

  openPull(number: number, head: string, base = 'main'): GithubPull {
    const pull = { number, base, head, presses: [], approvals: [], commits: new Set([head]) }
    this.pulls.push(pull)
    return pull
  }

  /** Somebody presses "Merge when ready", and all that is required of it is met. */
  enqueuePull(pull: GithubPull): void {
    if (pull.enqueuedAt !== undefined) return
    pull.enqueuedAt = this.#time()
    this.pressButton(pull, 'AddedToMergeQueueEvent')
  }

  /** Somebody takes it out of the queue, or the queue drops it, in GitHub's word for why. */
  dequeuePull(pull: GithubPull, reason = 'manual'): void {
    delete pull.enqueuedAt
    pull.presses.push({ type: 'RemovedFromMergeQueueEvent', at: this.#time(), reason })
  }

  pressButton({ presses }: GithubPull, type: GithubPress): void {
    presses.push({ type, at: this.#time() })
  }

  /** Somebody approves it in a review. */
  approvePull({ approvals }: GithubPull, login: string, type: GithubWriter['type'] = 'User'): void {
    approvals.push({ at: this.#time(), author: { login, type } })
  }

  mayPush({ login }: GithubWriter): boolean {
    return (this.people.get(login) ?? 'read') !== 'read'
  }

  /** Merges it as these commits of its base, the last of which is the one that it names. */
  mergePull(pull: GithubPull, ...commits: readonly string[]): void {
    for (const commit of commits) pull.commits.add(commit)
    const mergeCommit = commits.at(-1)
    if (pull.enqueuedAt !== undefined) this.dequeuePull(pull, 'merged')
    Object.assign(pull, { mergedAt: this.#time(), ...(mergeCommit && { mergeCommit }) })
  }

  pullsOf(commit: string): GithubPull[] {
    if (this.lateLookups > 0) {
      this.lateLookups--
      return []
    }
    return this.pulls.filter(({ commits }) => commits.has(commit))
  }

  /** To the second, as GitHub has it. */
  #time(): string {
    return new Date(this.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  }
}
