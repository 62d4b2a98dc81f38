import type { Json } from '../../lib/json.ts'
import { type Answer, refuse } from './answer.ts'
import type { GithubPull, GithubRepository } from './github-state.ts'

interface PullCall {
  readonly fullName: string
  /** Below the repository. */
  readonly rest: string
  readonly query: URLSearchParams
  readonly paginate: (all: readonly Json[]) => Answer
}

/** Pull requests, those of a commit, and the commits of a branch. Undefined for another route. */
export async function answerPulls(
  repository: GithubRepository,
  { fullName, rest, query, paginate }: PullCall,
): Promise<Answer | undefined> {
  const number = Number(/^\/pulls\/(\d+)$/.exec(rest)?.[1])
  if (number > 0) {
    const pull = repository.pulls.find((one) => one.number === number)
    return pull ? { status: 200, body: showPull(pull, fullName) } : refuse(404, 'Not Found')
  }
  const commit = /^\/commits\/([0-9a-f]{40})\/pulls$/.exec(rest)?.[1]
  if (commit !== undefined) {
    if (repository.git && !(await repository.git.isThere(commit))) {
      return refuse(422, `No commit found for SHA: ${commit}`)
    }
    return paginate(repository.pullsOf(commit).map((pull) => showPull(pull, fullName)))
  }
  return rest === '/commits' ? listCommits(repository, query, paginate) : undefined
}

async function listCommits(
  { git, history }: GithubRepository,
  query: URLSearchParams,
  paginate: PullCall['paginate'],
): Promise<Answer | undefined> {
  const known = ['sha', 'path', 'per_page', 'page']
  if ([...query.keys()].some((name) => !known.includes(name))) return undefined
  const path = query.get('path') ?? undefined
  const commits = git ? await git.commitsOf(query.get('sha') ?? 'main', path) : history
  if (!commits) return refuse(404, 'Not Found')
  return paginate(commits.map((sha) => ({ sha, node_id: `C_${sha}` })))
}

function showPull({ number, base, head, mergedAt, mergeCommit }: GithubPull, name: string): Json {
  return {
    number,
    state: mergedAt === undefined ? 'open' : 'closed',
    merged_at: mergedAt ?? null,
    merge_commit_sha: mergeCommit ?? null,
    base: { ref: base, repo: { full_name: name } },
    head: { sha: head, repo: { full_name: name } },
  }
}
