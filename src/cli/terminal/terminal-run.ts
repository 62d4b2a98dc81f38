import type { Random } from '../../lib/random.ts'
import { isNamedProcessOver, nameProcess } from '../../run/process-name.ts'
import type { RunDescription } from '../../run/run-context.ts'

/** Who knows of jobs, which are not at a terminal. */
interface WorkflowRuns {
  readonly isWorkflowJobOver?: NonNullable<RunDescription['isRunOver']>
}

const prefix = 'terminal-'

/**
 * A process at a terminal as other runs see it. Its name says which process it is, so that a later run here can prove
 * that one was killed and need not wait for its lock to expire.
 */
export async function terminalRun(
  pid: number,
  random: Random,
  actor: string | undefined,
  { isWorkflowJobOver }: WorkflowRuns = {},
): Promise<Omit<RunDescription, 'host'>> {
  return {
    id: `${prefix}${await nameProcess(pid, random)}`,
    attempt: 1,
    url: undefined,
    commit: undefined,
    actor,
    isRunOver: async (owner) =>
      (await isTerminalOver(owner.run)) ?? (await isWorkflowJobOver?.(owner)),
  }
}

async function isTerminalOver(run: string): Promise<true | undefined> {
  return run.startsWith(prefix) ? isNamedProcessOver(run.slice(prefix.length)) : undefined
}
