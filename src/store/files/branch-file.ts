import {
  createPrivateRepository,
  type PrivateRepositoryOptions,
} from '../git/private-repository.ts'
import { resolveRemote } from '../git/resolve-remote.ts'
import type { OpenStoreOptions } from '../open-store.ts'

/** Where a branch of the repository stands, and a file as it is there. */
export interface BranchFile {
  readonly branch: string
  readonly commit: string
  /** Undefined where that branch has no such file. */
  readonly text: string | undefined
}

export interface BranchFileOptions
  extends Pick<OpenStoreOptions, 'remote' | 'folder' | 'credentials'>,
    Omit<PrivateRepositoryOptions, 'remote' | 'api'> {
  /** By its name; the default branch where it is undefined. */
  readonly branch: string | undefined
  /** Where the file is below the checked out folder. */
  readonly path: string
}

/**
 * Reads a file at the tip of a branch of a remote: one commit and one file are fetched. Undefined where there is no
 * such branch. Throws `state-unreachable`, `git-missing`, `disk-full`.
 */
export async function readBranchFile(options: BranchFileOptions): Promise<BranchFile | undefined> {
  const remote = await resolveRemote(options.remote, options)
  const repository = await createPrivateRepository({ ...options, remote })
  try {
    const branch = options.branch ?? (await repository.defaultBranch())
    const commit = branch && (await repository.fetchTree(`refs/heads/${branch}`))
    if (!branch || !commit) return undefined
    const entries = await repository.listTree(commit)
    const path = placeInRepository(
      options.path,
      entries.map((entry) => entry.path),
    )
    const object = entries.find((entry) => entry.path === path)?.object
    const [content] = await repository.readObjects(object === undefined ? [] : [object])
    return { branch, commit, text: content && Buffer.from(content).toString('utf8') }
  } finally {
    await repository.close()
  }
}

/**
 * The path in the repository of a file that was checked out, perhaps into a folder below the one that `path` starts
 * from: the longest end of it that the repository has.
 */
export function placeInRepository(path: string, known: readonly string[]): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const present = new Set(known)
  return parts.map((_, index) => parts.slice(index).join('/')).find((end) => present.has(end))
}
