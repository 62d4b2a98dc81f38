import { applyCluster } from '../../../commands/cluster/apply-cluster.ts'
import { planCluster } from '../../../commands/cluster/plan-cluster.ts'
import { refuseErrors } from '../../../lib/findings-error.ts'
import { refuseMoved } from '../../../run/refuse-moved.ts'
import { askTypedName, confirmPlan, notConfirmed } from '../../confirm-plan.ts'
import type { ApplyOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readApprovedPlan } from '../../read-approved-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { showPlan } from '../../show-plan.ts'

/** Applies the file. A dry run is a plan: it takes no lock, and needs neither the identity nor the right to write. */
export async function applyCommand(parts: CommandParts, options: ApplyOptions): Promise<number> {
  const { config, json, dryRun, yes, stage, replace } = options
  const { terminal, openContext } = parts
  const file = await readCheckedFile(config)
  const approved = await readApprovedPlan(options.plan)
  await using context = await openContext()
  if (dryRun) {
    const { plan } = await planCluster(context, { file, verb: 'apply', stage, replace })
    showPlan(terminal, plan, json, { applied: false })
    refuseErrors('plan-refused', plan.findings, config)
    refuseMoved(plan, approved)
    return 0
  }
  const confirm = confirmPlan(terminal, { yes, json })
  const { plan, applied } = await applyCluster(context, {
    file,
    approved,
    stage,
    replace,
    confirm,
    typedName: async (says) => options.confirm ?? (await askTypedName(terminal, says)),
  })
  if (json) showPlan(terminal, plan, true, { applied })
  if (!applied) throw notConfirmed('answer yes, or give --yes')
  return 0
}
