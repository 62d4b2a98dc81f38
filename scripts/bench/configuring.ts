import type { Delay } from '../../src/sandbox/delay.ts'
import { indexDelays } from './delay-index.ts'

/** How long nodes that were switched on waited for their configs, against what they need by themselves. */
export interface Configuring {
  /** The longest that any node took, from the instant at which it was on until it ran with its config. */
  readonly longestMs: number
  /** What the slowest of them took by itself: to boot, and to start with its config. */
  readonly slowestOwnMs: number
  readonly ratio: number
}

/**
 * Whether nodes queue for their configs: with as many at once as there are, the slowest node's own time is
 * all that passes. Pure.
 */
export function configuring(delays: readonly Delay[], nodes: readonly string[]): Configuring {
  const index = indexDelays(delays)
  const took = nodes.map((node) => {
    const [start, boot, configure] = index.firsts(node, 'start_server', 'boot-talos', 'configure')
    if (!start || !boot || !configure) throw new Error(`${node} was never configured`)
    return {
      longest: configure.at + configure.ms - (start.at + start.ms),
      own: boot.ms + configure.ms,
    }
  })
  const longestMs = Math.max(...took.map(({ longest }) => longest))
  const slowestOwnMs = Math.max(...took.map(({ own }) => own))
  return {
    longestMs: Math.round(longestMs),
    slowestOwnMs: Math.round(slowestOwnMs),
    ratio: Math.round((longestMs / slowestOwnMs) * 1_000) / 1_000,
  }
}
