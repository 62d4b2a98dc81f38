import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
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
      isProcessOver(owner.run, place) ?? (await isWorkflowJobOver?.(owner)),
  }
}

/**
 * Stands for one boot of one machine, and for one space of process ids on it: a container that has the
 * same host name has others. Undefined where the system does not tell.
 */
async function placeOfProcesses(): Promise<string | undefined> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const space = await readlink('/proc/self/ns/pid')
    const text = [hostname(), boot.trim(), space].join('\n')
    return createHash('sha256').update(text).digest('hex').slice(0, 8)
  } catch {
    return undefined
  }
}

/** True when the process is gone. One that is there proves nothing: its number may be another's by now. */
function isProcessOver(run: string, here: string | undefined): true | undefined {
  const [, place, pid] = /^terminal-([0-9a-f]{8})-(\d+)-[0-9a-f]+$/.exec(run) ?? []
  if (place === undefined || place !== here) return undefined
  try {
    process.kill(Number(pid), 0)
    return undefined
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    return isGone ? true : undefined
  }
}
