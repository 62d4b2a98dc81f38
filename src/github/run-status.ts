import type { GithubPlace } from '../commands/github-place.ts'
import { textDigest } from '../lib/canonical-json.ts'
import type { RunnerEvent } from './runner-event.ts'

/** What Hetzner takes as the value of a label, which the name becomes. */
const longestName = 63

/**
 * The name under which a job of a run holds locks and opens doors: unique in its repository, and fit for
 * a label. A job whose name does not fit as it is gets a digest of it instead of its end.
 */
export function runName(event: RunnerEvent, job: string): string {
  const name = `gh-${event.runId}-${job}`
  if (/^[a-z0-9-]*[a-z0-9]$/.test(name) && name.length <= longestName) return name
  const plain = name.toLowerCase().replace(/[^a-z0-9-]+/g, '-')
  return `${plain.slice(0, longestName - 9)}-${textDigest(name).slice(0, 8)}`
}

/**
 * Asks GitHub whether the run behind a name has ended. Undefined where it cannot tell: the name is not
 * of a run here, or the job may not ask (`actions: read`).
 */
export async function isRunOver(
  name: string,
  attempt: number,
  { token, apiUrl, owner, repository }: GithubPlace,
): Promise<boolean | undefined> {
  const id = /^gh-(\d+)-/.exec(name)?.[1]
  if (id === undefined || token === '') return undefined
  const { getOctokit } = await import('@actions/github')
  const octokit = getOctokit(token, { baseUrl: apiUrl })
  try {
    const { data } = await octokit.rest.actions.getWorkflowRunAttempt({
      owner,
      repo: repository,
      run_id: Number(id),
      attempt_number: attempt,
    })
    return data.status === 'completed'
  } catch {
    // Whatever the reason, nothing is known, and a lock of unknown standing is held.
    return undefined
  }
}
