import { ClusterError } from '../lib/cluster-error.ts'
import { isJsonObject, type Json } from '../lib/json.ts'
import type { GithubPlace } from '../run/github-place.ts'
import type { BranchNames, EnvironmentFacts, RepositoryFacts } from '../run/repository-facts.ts'
import { isLimitText } from './bounded-fetch.ts'
import { connectGithub } from './connect-github.ts'

/** One answer of GitHub; undefined for what the token may not see, or what is not there. */
type Ask = (path: string) => Promise<Json | undefined>

/**
 * Asks GitHub what it knows of a repository: a dozen reads. What the token may not see is undefined, since GitHub
 * hides it behind "not found". Throws `state-unreachable` when the repository itself cannot be read.
 */
export async function readRepositoryFacts(
  { apiUrl, token, owner, repository, record }: GithubPlace,
  branches: BranchNames,
  signal?: AbortSignal,
): Promise<RepositoryFacts> {
  const octokit = await connectGithub({ token, apiUrl, signal, record })
  const base = `/repos/${owner}/${repository}`
  const { data, headers } = await octokit.request(`GET ${base}`).catch((error: unknown) => {
    throw unreadable(`${owner}/${repository}`, error)
  })
  const ask: Ask = async (path) => {
    try {
      return (await octokit.request(`GET ${base}${path}`)).data
    } catch (error) {
      if (isHidden(error)) return undefined
      throw unreadable(`${owner}/${repository}`, error)
    }
  }
  const [state, lock, environments, secrets] = await Promise.all([
    readRules(ask, branches.state),
    readRules(ask, branches.lock),
    readEnvironments(ask),
    readNames(ask, '/actions/secrets', 'secrets'),
  ])
  const scopes = headers['x-oauth-scopes']
  // Undocumented for a job's own token, which ends with the job: nobody is to renew that.
  const isOfJob = token.startsWith('ghs_')
  const end = Date.parse(String(headers['github-authentication-token-expiration'] ?? ''))
  const date = Date.parse(headers.date ?? '')
  return {
    name: `${owner}/${repository}`,
    isPublic: data['private'] === false,
    defaultBranch: String(data['default_branch']),
    mayPush: data['permissions']?.['push'] === true,
    scopes:
      scopes === undefined
        ? undefined
        : scopes
            .split(',')
            .map((s) => s.trim())
            .filter(Boolean),
    tokenEnds: isOfJob || Number.isNaN(end) ? undefined : end,
    rules: { state, lock },
    environments,
    secrets,
    now: Number.isNaN(date) ? undefined : date,
  }
}

/** The types of the rules that are active for a branch of this name, whether it is there or not. */
async function readRules(ask: Ask, branch: string): Promise<string[] | undefined> {
  const rules = await ask(`/rules/branches/${encodeURIComponent(branch)}?per_page=100`)
  if (!Array.isArray(rules)) return undefined
  return rules.flatMap((rule) => (isJsonObject(rule) ? [String(rule['type'])] : []))
}

async function readEnvironments(ask: Ask): Promise<EnvironmentFacts[] | undefined> {
  const answer = await ask('/environments?per_page=100')
  const all = isJsonObject(answer) ? answer['environments'] : undefined
  if (!Array.isArray(all)) return undefined
  return Promise.all(
    all.filter(isJsonObject).map(async (environment) => {
      const name = String(environment['name'])
      const path = `/environments/${encodeURIComponent(name)}`
      return {
        name,
        branches: await readBranchPolicy(ask, path, environment['deployment_branch_policy']),
        secrets: await readNames(ask, `${path}/secrets`, 'secrets'),
      }
    }),
  )
}

async function readBranchPolicy(
  ask: Ask,
  path: string,
  policy: Json | undefined,
): Promise<EnvironmentFacts['branches']> {
  if (!isJsonObject(policy)) return 'any'
  if (policy['protected_branches'] === true) return 'protected'
  return (await readNames(ask, `${path}/deployment-branch-policies`, 'branch_policies')) ?? 'any'
}

async function readNames(ask: Ask, path: string, field: string): Promise<string[] | undefined> {
  const answer = await ask(`${path}?per_page=100`)
  const all = isJsonObject(answer) ? answer[field] : undefined
  if (!Array.isArray(all)) return undefined
  return all.flatMap((one) => (isJsonObject(one) ? [String(one['name'])] : []))
}

/** Whether GitHub answered that this is not for us; a limit or no answer at all says nothing of what is there. */
function isHidden(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return (status === 403 || status === 404) && !isLimited(error)
}

function isLimited(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('status' in error && error.status === 429) || isLimitText(error.message)
}

/** What octokit throws can quote headers: only its status goes on. */
function unreadable(name: string, error: unknown): ClusterError {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 0
  const isAnswer = !isLimited(error) && status >= 400 && status < 500
  const why = isLimited(error)
    ? 'it limits how often it is asked; run again later'
    : status === 401
      ? 'it does not accept the token'
      : status === 404 || status === 403
        ? 'it is not there, or this token may not see it'
        : status > 0
          ? `it answered ${status}`
          : 'it cannot be reached'
  return new ClusterError('state-unreachable', `GitHub reports nothing about ${name}: ${why}`, {
    operation: 'ask GitHub about',
    target: name,
    hint: isAnswer
      ? 'Check GITHUB_TOKEN, and that it is for this repository.'
      : 'Check the network and https://www.githubstatus.com, then run it again.',
    isUnanswered: !isAnswer,
  })
}
