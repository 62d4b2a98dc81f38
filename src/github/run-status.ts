import type { RunOwner } from '../lib/run-identity.ts'
import type { GithubPlace } from '../run/github-place.ts'
import { connectGithub } from './connect-github.ts'

/** A job of one attempt of a run, as GitHub's API lists it. */
interface ListedJob {
  readonly id: number
  readonly status: string
  readonly runner_name: string | null
}

/** More pages than any run has: 256 jobs are the most that a matrix makes. */
const mostPages = 20
const perPage = 100

/**
 * Asks GitHub whether the job behind a lock or a firewall rule has ended: by its id where the name has one, else by
 * the runner that it ran on. The run as a whole proves only that all of its jobs have: it may wait for a reviewer
 * long after one of them died. Undefined where it is not known: the name is not of a run here, no job fits, or
 * the token may not ask (`actions: read`). Never throws.
 */
export async function isJobOver(
  { run, attempt, job }: RunOwner,
  { token, apiUrl, owner, repository, record }: GithubPlace,
): Promise<boolean | undefined> {
  const { runId, jobId } = readRunName(run)
  if (runId === undefined || token === '') return undefined
  const { actions } = (await connectGithub({ token, apiUrl, record })).rest
  const place = { owner, repo: repository, run_id: runId, attempt_number: attempt }
  try {
    const jobs: ListedJob[] = []
    for (let page = 1; page <= mostPages; page++) {
      const asked = { ...place, per_page: perPage, page }
      const { data } = await actions.listJobsForWorkflowRunAttempt(asked)
      jobs.push(...data.jobs)
      if (data.jobs.length < perPage) break
    }
    const isOver = judgeJobs(jobs, { jobId, runner: job?.runner })
    if (isOver !== undefined) return isOver
    const { data } = await actions.getWorkflowRunAttempt(place)
    return data.status === 'completed' ? true : undefined
  } catch {
    // Whatever the reason, nothing is known, and a lock of unknown standing is held.
    return undefined
  }
}

/** A runner may have had several jobs of the run, one after another: then all of them must have ended. */
function judgeJobs(
  jobs: readonly ListedJob[],
  { jobId, runner }: { readonly jobId: number | undefined; readonly runner: string | undefined },
): boolean | undefined {
  const fits = ({ id, runner_name }: ListedJob) =>
    jobId === undefined ? runner !== undefined && runner_name === runner : id === jobId
  const candidates = jobs.filter(fits)
  if (candidates.length === 0) return undefined
  return candidates.every(({ status }) => status === 'completed')
}

function readRunName(name: string): { runId: number | undefined; jobId: number | undefined } {
  const [, run, job] = /^gh-(\d{1,15})-(?:(\d{1,15})-)?/.exec(name) ?? []
  return {
    runId: run === undefined ? undefined : Number(run),
    jobId: job === undefined ? undefined : Number(job),
  }
}
