/** What GitHub tells about the repository that keeps the state; undefined is what this token may not ask. */
export interface RepositoryFacts {
  /** owner/name. */
  readonly name: string
  readonly isPublic: boolean
  readonly defaultBranch: string
  /** Whether the token may push. */
  readonly mayPush: boolean
  /** Of a classic token; other kinds tell none. */
  readonly scopes: readonly string[] | undefined
  /** When the token ends, in milliseconds since the epoch; undefined where GitHub says no end, as of jobs' own. */
  readonly tokenEnds: number | undefined
  /** What rules are active for a branch of each name, by their type: `non_fast_forward`, `pull_request`, … */
  readonly rules: {
    readonly state: readonly string[] | undefined
    readonly lock: readonly string[] | undefined
  }
  readonly environments: readonly EnvironmentFacts[] | undefined
  /** Names of the secrets that every workflow of the repository can read. */
  readonly secrets: readonly string[] | undefined
  /** GitHub's clock when it answered, in milliseconds since the epoch. */
  readonly now: number | undefined
}

export interface EnvironmentFacts {
  readonly name: string
  /** Which branches may use it: any, those that are protected, or those of these names and patterns. */
  readonly branches: 'any' | 'protected' | readonly string[]
  /** Names of its secrets. */
  readonly secrets: readonly string[] | undefined
}

/** Which branches the facts are about. */
export interface BranchNames {
  readonly state: string
  readonly lock: string
}
