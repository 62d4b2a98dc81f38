/** The three steps in which a host becomes ready for kubeadm, each of which needs those before it. */
export const hostStepIds = ['os_ready', 'runtime_ready', 'kubeadm_ready'] as const
export type HostStepId = (typeof hostStepIds)[number]

/**
 * One thing that must be true on a host. What it says in bash is a function's body, within the script of its step: it
 * may use what `shell-library.ts` defines and the parameters of the step, and never holds a value of a user.
 */
export interface HostCheck {
  /** Lower-case words with hyphens; one of a kind within its step. */
  readonly id: string
  /** What is true when it passes. */
  readonly words: string
  /** Looks, changes nothing, and ends with `passed` or `failed` and what was seen; any other end is unknown. */
  readonly probe: string
  /** Makes it true, and may run again; absent where only people can. */
  readonly apply?: string
  /** Nothing is changed on a host on which it does not pass. */
  readonly isPrecondition?: true
}

/** A step as it is asked of one host. */
export interface HostStep {
  readonly id: HostStepId
  readonly checks: readonly HostCheck[]
  /** Names of the variables that hold the first arguments of its scripts. */
  readonly parameters: readonly string[]
  /** As many as there are parameters, and what the script has as `rest`. */
  readonly args: readonly string[]
}
