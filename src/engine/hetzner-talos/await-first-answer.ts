import type { Clock } from '../../lib/clock.ts'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { waitFor } from '../../lib/wait-for.ts'
import { probeNode } from '../../talos/probe-node.ts'

export interface FirstAnswerOptions {
  readonly name: string
  /** Where it is now: elsewhere after it was replaced. */
  readonly address: () => string
  readonly reset: () => Promise<void>
  /** Creates its server again; absent where something may live on it. */
  readonly replace?: (() => Promise<void>) | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
}

/** How long a server may take to boot, in milliseconds: two minutes are long. */
const bootsWithinMs = 4 * 60_000

/**
 * Waits until the Talos of a new server answers for the first time, in whichever state it is. A server
 * that does not boot is reset once, and then replaced. Throws `talos-unreachable` with what was tried.
 */
export async function awaitFirstAnswer(options: FirstAnswerOptions): Promise<void> {
  const { name, progress, reset, replace } = options
  if (await answers(options)) return
  progress.step(`${name}: it does not boot, its server is reset`)
  await reset()
  if (await answers(options)) return
  if (replace) {
    progress.step(`${name}: it does not boot after a reset either, its server is replaced`)
    await replace()
    if (await answers(options)) return
  }
  const tried = replace ? 'was reset once and then replaced' : 'was reset once'
  throw new ClusterError(
    'talos-unreachable',
    `${name} (${options.address()}) never answered on port 50000, although its server ${tried}`,
    {
      operation: 'configure a node',
      target: name,
      hint: 'Look at the console of the server; a firewall may also keep this machine from port 50000.',
    },
  )
}

async function answers({
  name,
  address,
  clock,
  signal,
  progress,
}: FirstAnswerOptions): Promise<boolean> {
  try {
    await waitFor(
      `${name} to answer`,
      async () => {
        const probe = await probeNode(address(), { signal })
        return probe.state === 'unreachable' ? { pending: probe.reason } : { done: undefined }
      },
      {
        clock,
        signal,
        everyMs: 1_000,
        withinMs: bootsWithinMs,
        onPending: (reason) => progress.step(`${name}: it does not answer yet (${reason})`),
      },
    )
    return true
  } catch (error) {
    if (!isClusterError(error, 'wait-timeout')) throw error
    return false
  }
}
