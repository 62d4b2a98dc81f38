import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type UpgradeInput, type UpgradeResult, upgradeInMode } from '../modes/upgrade-in-mode.ts'

/** Brings the cluster to the versions of its file. Run again, it continues with what is left. */
export function upgradeCluster(context: RunContext, input: UpgradeInput): Promise<UpgradeResult> {
  return inModeOf(input.file, (mode) => upgradeInMode(mode, context, input))
}
