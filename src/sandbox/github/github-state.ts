import type { GitObjects } from './git-objects.ts'

/** A comment on an issue or a pull request. */
export interface GithubComment {
  readonly id: number
  readonly issue: number
  body: string
  readonly author: { readonly login: string; readonly type: 'Bot' | 'User' }
}

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
  /** By run id. */
  readonly runs = new Map<number, GithubRun>()
  readonly tokens = new Map<string, GithubAccess>()
  /** Longer bodies are refused; in characters. */
  longestBody = 65_536
  #nextId = 1

  constructor(git?: GitObjects) {
    this.git = git
  }

  /** A comment that is there already: somebody's, or an earlier run's. */
  addComment(comment: Omit<GithubComment, 'id'>): GithubComment {
    const added = { ...comment, id: this.#nextId++ }
    this.comments.push(added)
    return added
  }
}
