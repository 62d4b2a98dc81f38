import { createLimit } from '../lib/limit.ts'

/** Runs what stops a node or its pods, when its turn comes. */
export type Disruption = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * The one place through which a run stops nodes: at most `atOnce` at a time in the whole cluster, whatever stops
 * them. What still waits when the run has failed is not begun.
 */
export function createDisruptions(atOnce: number, signal: AbortSignal): Disruption {
  const limit = createLimit(atOnce)
  return (work) =>
    limit(async () => {
      signal.throwIfAborted()
      return work()
    })
}
