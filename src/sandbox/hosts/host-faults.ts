/** What becomes of a connection while a command runs: `at first output` counts from when something was sent to it. */
export type Cut = 'before the script' | 'at first output'

/** What is wrong with a host, or with the way to it: inputs that a test sets. */
export class HostFaults {
  /** Connections to hang up on at once: how many of the next ones. */
  refusals = 0
  /** What becomes of the next commands, in their order. */
  readonly cuts: Cut[] = []
  /** Logins are rejected. */
  rejectsLogins = false
  /** No file can be written. */
  isDiskFull = false
}
