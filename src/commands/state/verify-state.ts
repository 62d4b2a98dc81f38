import type { ClusterFile } from '../../run/cluster-file.ts'
import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type VerifiedState, verifyInMode } from '../modes/verify-in-mode.ts'

/** Verifies the state branch of a cluster from its first commit to its last. Changes nothing. */
export function verifyState(context: RunContext, file: ClusterFile): Promise<VerifiedState> {
  return inModeOf(file, (mode) => verifyInMode(mode, context, file))
}
