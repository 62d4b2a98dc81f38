import { ClusterError } from '../lib/cluster-error.ts'
import type { FactName, JournalEntry } from '../store/files/journal.ts'
import type { RunContext } from './run-context.ts'

/** An act that loses data, with the facts that say that it was started and that it came to its end. */
export interface FinalAct {
  /** `a restore`. */
  readonly title: string
  readonly begun: readonly FactName[]
  readonly finished: readonly FactName[]
}

/**
 * Stops the second attempt of a run that would do a final act again: "Re-run" repeats what was confirmed for the
 * cluster as it was then, be it months ago, with the same file and the same typed name. Such a run only finishes what
 * an earlier attempt of itself began, as the signed journal says. Throws `run-outdated`.
 */
export function refuseReplayed(
  { run }: Pick<RunContext, 'run'>,
  journal: readonly JournalEntry[],
  { title, begun, finished }: FinalAct,
): void {
  if (run.attempt <= 1) return
  const last = journal.findLast(({ fact }) => begun.includes(fact) || finished.includes(fact))
  if (last?.run === run.id && begun.includes(last.fact)) return
  throw new ClusterError(
    'run-outdated',
    `this is attempt ${run.attempt} of a run that has not begun ${title} which is still to be finished; nothing was touched`,
    {
      operation: 'run again',
      target: run.id,
      hint: 'Start a new run of the workflow from the default branch instead of re-running this one: what it does is confirmed for the cluster as it is now.',
    },
  )
}
