import type { RunnerEvent } from './runner-event.ts'

/** The name under which a job of a run holds locks: unique in its repository. */
export function runName(event: RunnerEvent, job: string): string {
  const plain = job.toLowerCase().replace(/[^a-z0-9-]+/g, '-')
  return `gh-${event.runId}-${plain}`
}

/**
 * Asks GitHub whether the run behind a name has ended. Undefined where it cannot tell: the name is not
 * of a run here, or the job may not ask (`actions: read`).
 */
export async function isRunOver(
  name: string,
  attempt: number,
  {
    token,
    apiUrl,
    event,
  }: { readonly token: string; readonly apiUrl: string; readonly event: RunnerEvent },
): Promise<boolean | undefined> {
  const id = /^gh-(\d+)-/.exec(name)?.[1]
  if (id === undefined || token === '') return undefined
  const { getOctokit } = await import('@actions/github')
  const octokit = getOctokit(token, { baseUrl: apiUrl })
  try {
    const { data } = await octokit.rest.actions.getWorkflowRunAttempt({
      owner: event.owner,
      repo: event.repository,
      run_id: Number(id),
      attempt_number: attempt,
    })
    return data.status === 'completed'
  } catch {
    // Whatever the reason, nothing is known, and a lock of unknown standing is held.
    return undefined
  }
}
