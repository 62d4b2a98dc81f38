import type { Json } from '../../lib/json.ts'
import { type Answer, refuse } from './answer.ts'
import type { GithubAccess, GithubEnvironment, GithubRepository } from './github-state.ts'

interface SettingsCall {
  readonly fullName: string
  /** Below the repository. */
  readonly path: string
  readonly access: GithubAccess
}

/**
 * What GitHub tells about a repository itself, the rules for its branches, its environments and the names of its
 * secrets (REST API version 2022-11-28). Undefined for another path.
 */
export function answerSettings(
  repository: GithubRepository,
  { fullName, path, access }: SettingsCall,
): Answer | undefined {
  if (path === '') return showRepository(repository, fullName, access)
  const ofBranch = /^\/rules\/branches\/([^/]+)$/.exec(path)
  if (ofBranch) return listRules(repository, decodeURIComponent(ofBranch[1] ?? ''), fullName)
  if (path === '/environments') return listEnvironments(repository)
  // A job's own token is never told of secrets, whatever its permissions are.
  if (path === '/actions/secrets') return listSecrets(repository.secrets, access)
  const [, name, what] = /^\/environments\/([^/]+)\/([a-z-]+)$/.exec(path) ?? []
  if (name === undefined) return undefined
  const environment = repository.environments.find((one) => one.name === decodeURIComponent(name))
  if (!environment) return refuse(404, 'Not Found')
  if (what === 'secrets') return listSecrets(environment.secrets, access)
  return what === 'deployment-branch-policies' ? listPolicies(environment) : undefined
}

function showRepository(
  { isPrivate }: GithubRepository,
  fullName: string,
  access: GithubAccess,
): Answer {
  const push = access !== 'read'
  const body = {
    full_name: fullName,
    private: isPrivate,
    visibility: isPrivate ? 'private' : 'public',
    default_branch: 'main',
    permissions: { admin: access === 'admin', maintain: access === 'admin', push, pull: true },
  }
  return { status: 200, body }
}

/** Active rules for a name, whether a branch has it or not. */
function listRules({ rules }: GithubRepository, branch: string, source: string): Answer {
  const active = rules.filter(({ branches }) =>
    branches.endsWith('*') ? branch.startsWith(branches.slice(0, -1)) : branch === branches,
  )
  const body = active.map(({ type }, index) => ({
    type,
    ruleset_source_type: 'Repository',
    ruleset_source: source,
    ruleset_id: index + 1,
  }))
  return { status: 200, body }
}

function listEnvironments({ environments }: GithubRepository): Answer {
  const body = {
    total_count: environments.length,
    environments: environments.map(({ name, branches }, index) => ({
      id: index + 1,
      name,
      protection_rules: branches === 'any' ? [] : [{ id: index + 1, type: 'branch_policy' }],
      deployment_branch_policy: branchPolicy(branches),
    })),
  }
  return { status: 200, body }
}

function branchPolicy(branches: GithubEnvironment['branches']): Json {
  if (branches === 'any') return null
  const isProtected = branches === 'protected'
  return { protected_branches: isProtected, custom_branch_policies: !isProtected }
}

function listPolicies({ branches }: GithubEnvironment): Answer {
  const names = typeof branches === 'string' ? [] : branches
  const policies = names.map((name, index) => ({ id: index + 1, name, type: 'branch' }))
  return { status: 200, body: { total_count: policies.length, branch_policies: policies } }
}

function listSecrets(names: readonly string[], access: GithubAccess): Answer {
  if (access !== 'admin') return refuse(403, 'Resource not accessible by integration')
  const secrets = names.map((name) => ({
    name,
    created_at: '2026-11-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
  }))
  return { status: 200, body: { total_count: secrets.length, secrets } }
}
