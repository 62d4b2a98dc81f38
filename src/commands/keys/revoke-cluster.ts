import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type RevokedCluster, type RevokeInput, revokeInMode } from '../modes/revoke-in-mode.ts'

/** Replaces what somebody with a former key of a cluster's state knows. Safe to kill and to run again. */
export function revokeCluster(context: RunContext, input: RevokeInput): Promise<RevokedCluster> {
  return inModeOf(input.file, (mode) => revokeInMode(mode, context, input))
}
