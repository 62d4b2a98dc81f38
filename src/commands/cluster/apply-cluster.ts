import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import type { RunContext } from '../../run/run-context.ts'
import { type ApplyInput, type ApplyResult, applyInMode } from '../modes/apply-in-mode.ts'
import { hetznerTalos } from '../modes/hetzner-talos/hetzner-talos.ts'

/** Brings a cluster to what its file asks for. Safe to kill at any instruction and to run again. */
export function applyCluster(
  context: RunContext,
  input: ApplyInput,
): Promise<ApplyResult<ClusterView>> {
  return applyInMode(hetznerTalos, context, input)
}
