import { createHash } from 'node:crypto'
import { isFree, processPlace } from '../commands/process-place.ts'
import type { RunDescription } from '../commands/run-context.ts'
import { type Random, randomHex } from '../lib/random.ts'

/** Who can tell of jobs, which are not at a terminal. */
interface WorkflowRuns {
  readonly isWorkflowJobOver?: NonNullable<RunDescription['isRunOver']>
}

/**
 * A process at a terminal as other runs see it. Where the system can tell processes of this machine
 * from others (Linux), its name says which process it is, so that a later run here can prove that one
 * was killed and need not wait for its lock to expire.
 */
export async function terminalRun(
  pid: number,
  random: Random,
  actor: string | undefined,
  { isWorkflowJobOver }: WorkflowRuns = {},
): Promise<Omit<RunDescription, 'host'>> {
  const place = await placeOfProcesses()
  const nonce = randomHex(random, 4)
  return {
    id: place === undefined ? `terminal-${nonce}` : `terminal-${place}-${pid}-${nonce}`,
    attempt: 1,
    url: undefined,
    commit: undefined,
    actor,
    isRunOver: async (owner) =>
      isTerminalOver(owner.run, place) ?? (await isWorkflowJobOver?.(owner)),
  }
}

/** Stands for one boot of one machine, and for one space of process ids on it. */
async function placeOfProcesses(): Promise<string | undefined> {
  const place = await processPlace()
  if (!place) return undefined
  const text = [place.machine, place.boot, place.space].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** True when the process is gone. One that is there proves nothing: its number may be another's by now. */
function isTerminalOver(run: string, here: string | undefined): true | undefined {
  const [, place, pid] = /^terminal-([0-9a-f]{8})-(\d+)-[0-9a-f]+$/.exec(run) ?? []
  if (place === undefined || place !== here) return undefined
  return isFree(Number(pid)) ? true : undefined
}
