/** Who writes: one job of one attempt of a run, or one process at a terminal. */
export interface RunIdentity {
  /** Names the run and the job in it; unique at the remote. What has the same name is the same writer. */
  readonly run: string
  readonly attempt: number
  readonly host: string
  /** Where a person can look at it. */
  readonly url?: string | undefined
}

/** A run as a person reads about it. */
export function describeRun({ run, attempt, host, url }: RunIdentity): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : ''
  return url === undefined ? `${run}${again} on ${host}` : `${run}${again} (${url})`
}
