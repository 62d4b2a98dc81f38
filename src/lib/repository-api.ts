/** A ref to move by a host's API: from what it must be, to what it shall be; undefined stands for absent. */
export interface ApiRefUpdate {
  readonly ref: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * What publishing by a host's API takes of it: the seam between the store and GitHub. Each call throws
 * `state-push-refused` for what trying again does not change, and `state-unreachable` where nobody knows
 * what became of it.
 */
export interface RepositoryApi {
  /** Makes a tree of another one and the files that differ (undefined removes one); its id. */
  createTree(
    base: string | undefined,
    files: ReadonlyMap<string, string | undefined>,
    signal?: AbortSignal,
  ): Promise<string>
  /** Makes a commit that no ref holds yet; its id. */
  createCommit(
    commit: {
      readonly message: string
      readonly tree: string
      readonly parents: readonly string[]
    },
    signal?: AbortSignal,
  ): Promise<string>
  /** Moves all refs or none. `unclear` where the host does not say why it moved none: read them back. */
  moveRefs(updates: readonly ApiRefUpdate[], signal?: AbortSignal): Promise<'moved' | 'unclear'>
}
