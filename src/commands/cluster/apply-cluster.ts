import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { RunContext } from '../../run/run-context.ts'
import { type ApplyInput, type ApplyResult, applyInMode } from '../modes/apply-in-mode.ts'
import { inModeOf } from '../modes/cluster-modes.ts'

/** Brings a cluster to what its file asks for. Safe to kill at any instruction and to run again. */
export function applyCluster(
  context: RunContext,
  input: ApplyInput,
): Promise<ApplyResult<KnownCluster>> {
  return inModeOf<ApplyResult<KnownCluster>>(input.file, (mode) =>
    applyInMode(mode, context, input),
  )
}
