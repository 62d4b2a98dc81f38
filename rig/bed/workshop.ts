/** Where and how the bed is made. */
export interface Workshop {
  /** The checkout, which holds rig/. */
  readonly root: string
  /** The folder that keeps what was made. */
  readonly cache: string
  /** PATH of the programs that are run. */
  readonly path: string
  /** Takes one line of progress. */
  readonly report: (line: string) => void
  readonly signal: AbortSignal
}
