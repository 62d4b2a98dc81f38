import { isJsonObject, type Json } from '../lib/json.ts'

/** Why this job runs, as far as it decides what to do. */
export interface RunnerEvent {
  /** GitHub's name of the event: `pull_request`, `push`, `schedule`, … */
  readonly name: string
  readonly owner: string
  readonly repository: string
  /** `refs/heads/main`, `refs/pull/7/merge`, … */
  readonly ref: string
  readonly sha: string
  /** Of a pull request event. */
  readonly pullRequest: number | undefined
  /** The newest commit of that pull request; `sha` is of its merge into the base. */
  readonly head: string | undefined
  /** Whether the pull request comes from another repository: no secrets, no write token. */
  readonly fromFork: boolean
  readonly defaultBranch: string | undefined
  /** Of a merge queue's event: the ref into which the group is to be merged. */
  readonly queuedInto: string | undefined
  readonly actor: string | undefined
  readonly runId: string
  readonly attempt: number
  readonly serverUrl: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the event from the runner's environment and its payload file (parsed; null where there is none). */
export function readRunnerEvent(env: Environment, payload: Json): RunnerEvent {
  const [owner = '', repository = ''] = (env['GITHUB_REPOSITORY'] ?? '').split('/')
  const pull = at(payload, 'pull_request')
  const number = at(pull, 'number')
  const headRepository = at(pull, 'head', 'repo', 'full_name')
  return {
    name: env['GITHUB_EVENT_NAME'] ?? '',
    owner,
    repository,
    ref: env['GITHUB_REF'] ?? '',
    sha: env['GITHUB_SHA'] ?? '',
    pullRequest: typeof number === 'number' ? number : undefined,
    head: textAt(pull ?? null, 'head', 'sha'),
    fromFork: pull !== undefined && headRepository !== env['GITHUB_REPOSITORY'],
    defaultBranch: textAt(payload, 'repository', 'default_branch'),
    queuedInto: textAt(at(payload, 'merge_group') ?? null, 'base_ref'),
    actor: env['GITHUB_ACTOR'],
    runId: env['GITHUB_RUN_ID'] ?? '0',
    attempt: Number(env['GITHUB_RUN_ATTEMPT'] ?? '1'),
    serverUrl: env['GITHUB_SERVER_URL'] ?? 'https://github.com',
  }
}

/** The page of this run. */
export function runUrl(event: RunnerEvent): string {
  return `${event.serverUrl}/${event.owner}/${event.repository}/actions/runs/${event.runId}`
}

function at(value: Json | undefined, ...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (current, key) => (isJsonObject(current) ? current[key] : undefined),
    value,
  )
}

function textAt(value: Json, ...path: string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}
