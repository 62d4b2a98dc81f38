import type { GitObjects } from './git-objects.ts'

/** A comment on an issue or a pull request. */
export interface GithubComment {
  readonly id: number
  readonly issue: number
  body: string
  readonly author: { readonly login: string; readonly type: 'Bot' | 'User' }
}

export interface GithubRun {
  readonly status: 'queued' | 'in_progress' | 'completed'
  readonly conclusion: 'success' | 'failure' | 'cancelled' | null
}

/** What the simulated GitHub knows of one repository. */
export class GithubRepository {
  /** Its git repository, where it has one. */
  readonly git: GitObjects | undefined
  readonly comments: GithubComment[] = []
  /** By run id. */
  readonly runs = new Map<number, GithubRun>()
  /** Tokens and what they may do; `write` is pull-requests: write. */
  readonly tokens = new Map<string, 'read' | 'write'>()
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
