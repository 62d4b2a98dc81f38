import { isClusterError } from '../../lib/cluster-error.ts'
import type { RepositoryApi } from '../../lib/repository-api.ts'
import type { CommitRequest } from './commit-stream.ts'
import type { TreeEntry } from './object-reader.ts'
import type { PushResult, RefUpdate } from './private-repository.ts'

/** What publishing by an API needs of the repository into which the remote is fetched. */
export interface FetchedRepository {
  remoteRefs(refs: readonly string[]): Promise<Map<string, string>>
  /** The tree of a commit, and all its files; the commit is fetched where it is not here. */
  treeOf(commit: string): Promise<{ readonly tree: string; readonly entries: readonly TreeEntry[] }>
}

/** The tree without files: git and GitHub know it without having been told. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/**
 * Publishes by GitHub's API what a push would: commits that no ref holds, made by REST, and `updateRefs`,
 * which moves all refs or none and each only from where it is expected to be (facts/github.md 31). Commits get
 * the ids that GitHub gives them.
 */
export class ApiTransport {
  readonly #api: RepositoryApi
  readonly #repository: FetchedRepository
  /** Trees of commits that were made here: they are not fetched. */
  readonly #trees = new Map<string, string>()

  constructor(api: RepositoryApi, repository: FetchedRepository) {
    this.#api = api
    this.#repository = repository
  }

  async commit(requests: readonly CommitRequest[], signal?: AbortSignal): Promise<string[]> {
    const ids: string[] = []
    for (const { parent, message, isComplete, files } of requests) {
      const tree = await this.#makeTree(isComplete ? undefined : parent, files, signal)
      const parents = parent === undefined ? [] : [parent]
      const commit = await this.#api.createCommit({ message, tree, parents }, signal)
      this.#trees.set(commit, tree)
      ids.push(commit)
    }
    return ids
  }

  /**
   * A failed comparison comes back as an error like any other, so where the refs are tells what it was: moved
   * by somebody else (`rejected`), by us after all (`accepted`), or not at all (`unknown`: worth another try).
   */
  async push(updates: readonly RefUpdate[], signal?: AbortSignal): Promise<PushResult> {
    const moves = updates.map(({ ref, expected, next }) => ({ ref, before: expected, after: next }))
    if ((await this.#move(moves, signal)) === 'moved') return 'accepted'
    const found = await this.#repository.remoteRefs(updates.map(({ ref }) => ref))
    if (updates.every(({ ref, next }) => found.get(ref) === next)) return 'accepted'
    const isWhereExpected = updates.every(({ ref, expected }) => found.get(ref) === expected)
    return isWhereExpected ? 'unknown' : 'rejected'
  }

  /** A connection that died says as little as an error without a reason. */
  async #move(
    moves: Parameters<RepositoryApi['moveRefs']>[0],
    signal: AbortSignal | undefined,
  ): Promise<'moved' | 'unclear'> {
    try {
      return await this.#api.moveRefs(moves, signal)
    } catch (error) {
      if (isClusterError(error, 'state-unreachable')) return 'unclear'
      throw error
    }
  }

  async #makeTree(
    parent: string | undefined,
    files: CommitRequest['files'],
    signal: AbortSignal | undefined,
  ): Promise<string> {
    // GitHub makes no tree without files, and one can only come of taking all of them away.
    const isRemoval = [...files.values()].every((content) => content === undefined)
    if (isRemoval && (await this.#isEmptyWithout(parent, files))) return emptyTree
    const texts = new Map(
      [...files].map(([path, content]) => [path, content && Buffer.from(content).toString('utf8')]),
    )
    return this.#api.createTree(await this.#treeOf(parent), texts, signal)
  }

  async #isEmptyWithout(
    parent: string | undefined,
    files: CommitRequest['files'],
  ): Promise<boolean> {
    if (parent === undefined) return true
    const { entries } = await this.#repository.treeOf(parent)
    return entries.every(({ path }) => files.has(path))
  }

  /** A tree without files is none to build upon. */
  async #treeOf(commit: string | undefined): Promise<string | undefined> {
    if (commit === undefined) return undefined
    const tree = this.#trees.get(commit) ?? (await this.#repository.treeOf(commit)).tree
    return tree === emptyTree ? undefined : tree
  }
}
