import type { RepositoryApi } from '../lib/repository-api.ts'
import type { Environment, GitCredentials } from './git/git-environment.ts'
import { createPrivateRepository } from './git/private-repository.ts'
import { resolveRemote } from './git/resolve-remote.ts'
import { repositoryName } from './repository-name.ts'
import { StateStore, type StateStoreOptions } from './state-store.ts'

export interface OpenStoreOptions extends Omit<StateStoreOptions, 'repository'> {
  /** owner/name that the state is bound to, where that is not the remote's present name. */
  readonly repository?: string | undefined
  /** Name of a git remote of the repository in `folder`, or a URL or path: file, HTTPS or SSH. */
  readonly remote: string
  readonly folder: string
  /** For an HTTP remote; without, git's own helpers are asked. */
  readonly credentials?: GitCredentials | undefined
  /** How to publish where the remote takes no pushes. */
  readonly api?: RepositoryApi | undefined
  /** The process's environment, of which git gets only what it needs. */
  readonly environment: Environment
  /** Where temporary folders go. */
  readonly temporaryFolder: string
  /** Longest time for one conversation with the remote, on the wall. */
  readonly timeoutMs?: number | undefined
}

/**
 * Opens the state of a cluster; reads nothing yet. Close it in the end: it has a temporary folder. Throws
 * `git-missing`, `identity-invalid` for recipients that do not go together, `state-unreachable` for an
 * unknown name of a remote, `disk-full` and `file-unwritable`.
 */
export async function openStore(options: OpenStoreOptions): Promise<StateStore> {
  const remote = await resolveRemote(options.remote, options)
  const repository = await createPrivateRepository({ ...options, remote })
  try {
    const name = options.repository?.toLowerCase() ?? repositoryName(remote.url)
    return new StateStore(repository, { ...options, repository: name })
  } catch (error) {
    await repository.close()
    throw error
  }
}
