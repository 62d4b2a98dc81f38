import type { RunContext } from '../../run/run-context.ts'
import { type AdoptedCluster, type AdoptInput, adoptInMode } from '../modes/adopt-in-mode.ts'
import { inModeOf } from '../modes/cluster-modes.ts'

/** Takes over a cluster that other hands made. Changes nothing of it. */
export function adoptCluster(context: RunContext, input: AdoptInput): Promise<AdoptedCluster> {
  return inModeOf(input.file, (mode) => adoptInMode(mode, context, input))
}
