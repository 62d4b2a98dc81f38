import { textDigest } from '../lib/canonical-json.ts'
import type { JobIdentity } from '../lib/run-identity.ts'
import type { RunnerEvent } from './runner-event.ts'

/** What Hetzner takes as the value of a label, which the name becomes. */
const longestName = 63

/** A job as the runner describes it to the action. */
export interface RunnerJob extends JobIdentity {
  /** Its id in GitHub's API; absent where the runner does not say. */
  readonly id: string | undefined
}

/**
 * Reads the input `job`: the id of the job's check run, its place in a matrix, how many legs that has, and the
 * leg's values as JSON, with bars between them. Each may be missing: not every runner knows them.
 */
export function readRunnerJob(
  input: string,
  environment: Readonly<Record<string, string | undefined>>,
  fallbackName: string,
): RunnerJob {
  const [, id, index, total, values = ''] = /^(\d*)\|(\d*)\|(\d*)\|(.*)$/s.exec(input) ?? []
  const isMatrix = Number(total) > 1 || /^\{.*:.*\}$/s.test(values)
  const leg = isMatrix ? index || textDigest(values).slice(0, 8) : undefined
  const runner = environment['RUNNER_NAME']
  return {
    id: id || undefined,
    name: environment['GITHUB_JOB'] || fallbackName,
    ...(runner && { runner }),
    ...(leg && { leg }),
  }
}

/**
 * The name under which a job of a run holds locks and opens the firewall: unique in its repository, and fit for a
 * label. It holds the job's id where that is known, so that others can ask GitHub about this very job. A job whose
 * name does not fit as it is, and a leg of a matrix without an id, gets a digest of it instead of its end.
 */
export function runName({ runId }: RunnerEvent, { name: job, id, leg }: RunnerJob): string {
  const start = id === undefined ? `gh-${runId}` : `gh-${runId}-${id}`
  const name = `${start}-${job}`
  const needsLeg = leg !== undefined && id === undefined
  // A digit at its start would be read as a job's id.
  const isPlain = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(job)
  if (isPlain && !needsLeg && name.length <= longestName) return name
  const plain = `${start}-x${job.toLowerCase().replace(/[^a-z0-9-]+/g, '-')}`
  const digest = textDigest(needsLeg ? `${leg}\n${name}` : name).slice(0, 8)
  return `${plain.slice(0, longestName - 9)}-${digest}`
}
