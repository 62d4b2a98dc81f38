/** Who writes: one job of one attempt of a run, or one process at a terminal. */
export interface RunIdentity {
  /** Names the run and the job in it; unique at the remote. What has the same name is the same writer. */
  readonly run: string
  readonly attempt: number
  readonly host: string
  /** Where a person can look at it. */
  readonly url?: string | undefined
  /** Which job of the run it is, as GitHub knows it; absent at a terminal. */
  readonly job?: JobIdentity | undefined
  /** Which process of the job it is: steps of one job may run side by side. */
  readonly process?: string | undefined
}

/** What tells a job from the others of its run, matrix legs included. */
export interface JobIdentity {
  /** The job's key in the workflow. */
  readonly name: string
  /** The runner that it runs on. */
  readonly runner?: string | undefined
  /** Which leg of a matrix it is. */
  readonly leg?: string | undefined
}

/** What proves whether somebody still runs. */
export type RunOwner = Pick<RunIdentity, 'run' | 'attempt' | 'job' | 'process'>

/** Proof that a job or process has ended (true) or goes on (false); undefined when it is not known. */
export type EndProof = (owner: RunOwner) => Promise<boolean | undefined>

/** One job is on one runner: the same name on another is another leg of a matrix, where the runner tells none apart. */
export function isSameJob(one: RunOwner, other: RunOwner): boolean {
  const runners = [one.job?.runner, other.job?.runner]
  return (
    one.run === other.run &&
    one.attempt === other.attempt &&
    (runners.includes(undefined) || runners[0] === runners[1])
  )
}

/** A run as a person reads about it. */
export function describeRun({ run, attempt, host, url }: RunIdentity): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : ''
  return url === undefined ? `${run}${again} on ${host}` : `${run}${again} (${url})`
}
