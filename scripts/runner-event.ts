/** An event as GitHub's runner tells it to a step: the variables that differ, and the payload file. */
export interface SimulatedEvent {
  readonly name: string
  readonly ref: string
  readonly sha: string
  readonly payload: Readonly<Record<string, unknown>>
}

const sha = '5f'.repeat(20)
const repositoryPart = (repository: string) => ({
  repository: { full_name: repository, default_branch: 'main' },
})

/** Somebody pushed to a pull request; from the repository itself unless `head` names another. */
export function pullRequestEvent(
  repository: string,
  { number = 1, head = repository }: { number?: number; head?: string | null } = {},
): SimulatedEvent {
  const headRepository = head === null ? null : { full_name: head }
  return {
    name: 'pull_request',
    ref: `refs/pull/${number}/merge`,
    sha,
    payload: {
      action: 'synchronize',
      number,
      pull_request: {
        number,
        head: { ref: 'change', sha, repo: headRepository },
        base: { ref: 'main', sha, repo: { full_name: repository } },
      },
      ...repositoryPart(repository),
    },
  }
}

/** A push to a branch; the default one unless another is named. */
export function pushEvent(repository: string, branch = 'main'): SimulatedEvent {
  const ref = `refs/heads/${branch}`
  return { name: 'push', ref, sha, payload: { ref, after: sha, ...repositoryPart(repository) } }
}

/** A merge queue asks for the checks of a group, which ends with this pull request. */
export function mergeGroupEvent(
  repository: string,
  { number = 1, base = 'main' }: { number?: number; base?: string } = {},
): SimulatedEvent {
  const ref = `refs/heads/gh-readonly-queue/${base}/pr-${number}-${sha}`
  return {
    name: 'merge_group',
    ref,
    sha,
    payload: {
      action: 'checks_requested',
      merge_group: { head_sha: sha, head_ref: ref, base_ref: `refs/heads/${base}` },
      ...repositoryPart(repository),
    },
  }
}

/** The clock's turn; always on the default branch. */
export function scheduleEvent(repository: string): SimulatedEvent {
  const payload = { schedule: '17 4 * * *', ...repositoryPart(repository) }
  return { name: 'schedule', ref: 'refs/heads/main', sha, payload }
}

/** Somebody pressed the button, on whatever branch they liked. */
export function dispatchEvent(repository: string, branch = 'main'): SimulatedEvent {
  const ref = `refs/heads/${branch}`
  return {
    name: 'workflow_dispatch',
    ref,
    sha,
    payload: { ref, inputs: {}, ...repositoryPart(repository) },
  }
}
