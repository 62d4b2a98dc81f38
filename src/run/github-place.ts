import type { RecordExchange } from '../lib/http-exchange.ts'
import { Redactor } from '../lib/redactor.ts'
import { resolveRemote } from '../store/git/resolve-remote.ts'
import type { Environment } from './create-run-context.ts'

/** Where GitHub is asked about the repository that keeps the state, and with what. */
export interface GithubPlace {
  readonly apiUrl: string
  readonly token: string
  readonly owner: string
  readonly repository: string
  /** Gets what it is asked and answers, where that is recorded. */
  readonly record?: RecordExchange | undefined
}

/**
 * The repository on GitHub that a run at a terminal works with, by its git remote or `GITHUB_REPOSITORY`, and the
 * token in `GITHUB_TOKEN` or `GH_TOKEN`. Undefined without a token, and for what is not on GitHub: a token goes to
 * github.com, or to the server that `GITHUB_API_URL` names, and nowhere else. Never throws.
 */
export async function githubPlace(
  environment: Environment,
  folder: string,
  redactor = new Redactor(),
): Promise<GithubPlace | undefined> {
  const token = environment['GITHUB_TOKEN'] || environment['GH_TOKEN']
  if (!token) return undefined
  redactor.add(token)
  const apiUrl = environment['GITHUB_API_URL'] || 'https://api.github.com'
  const named = environment['GITHUB_REPOSITORY'] || (await nameOnGithub(environment, folder))
  const [owner, repository] = named?.split('/') ?? []
  return owner && repository ? { apiUrl, token, owner, repository } : undefined
}

/** Whether the repository that a run at a terminal works with is on GitHub, by its name or its git remote. Never throws. */
export async function isOnGithub(environment: Environment, folder: string): Promise<boolean> {
  if (environment['GITHUB_REPOSITORY']) return true
  return (await nameOnGithub(environment, folder)) !== undefined
}

async function nameOnGithub(environment: Environment, folder: string): Promise<string | undefined> {
  const remote = environment['HCLOUD_TALOS_REMOTE'] || 'origin'
  try {
    const { url } = await resolveRemote(remote, { folder, environment, redactor: new Redactor() })
    const [, name] =
      /^(?:https:\/\/|ssh:\/\/git@|git@)github\.com[:/]([^/]+\/[^/]+?)(?:\.git)?\/?$/i.exec(url) ??
      []
    return name
  } catch {
    return undefined
  }
}
