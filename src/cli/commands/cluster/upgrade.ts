import { planCluster } from '../../../commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../../commands/cluster/upgrade-cluster.ts'
import { refuseErrors } from '../../../lib/findings-error.ts'
import { refuseMoved } from '../../../run/refuse-moved.ts'
import { confirmPlan, notConfirmed } from '../../confirm-plan.ts'
import type { CarryOutOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readApprovedPlan } from '../../read-approved-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { showPlan } from '../../show-plan.ts'

/** Brings nodes and Kubernetes to the file's versions. A dry run is a plan, like that of an apply. */
export async function upgradeCommand(
  parts: CommandParts,
  options: CarryOutOptions,
): Promise<number> {
  const { config, json, dryRun, yes } = options
  const { terminal, openContext } = parts
  const file = await readCheckedFile(config)
  const approved = await readApprovedPlan(options.plan)
  await using context = await openContext()
  if (dryRun) {
    const { plan } = await planCluster(context, { file, verb: 'upgrade' })
    showPlan(terminal, plan, json, { applied: false })
    refuseErrors('plan-refused', plan.findings, config)
    refuseMoved(plan, approved)
    return 0
  }
  const confirm = confirmPlan(terminal, { yes, json })
  const { plan, applied } = await upgradeCluster(context, { file, approved, confirm })
  if (json) showPlan(terminal, plan, true, { applied })
  if (!applied) throw notConfirmed('answer yes, or give --yes')
  return 0
}
