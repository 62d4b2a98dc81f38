import { refuseErrors } from '../../../lib/findings-error.ts'
import { clusterSettings, dryRunSetting, yesSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { confirmPlan, notConfirmed } from '../../confirm-plan.ts'
import { readApprovedPlan } from '../../read-approved-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { text } from '../../setting.ts'
import { showPlan } from '../../show-plan.ts'

/** Brings nodes and Kubernetes to the file's versions. A dry run is a plan, like that of an apply. */
export const upgrade = defineCommand({
  name: 'upgrade',
  description: "bring nodes and Kubernetes to the file's versions, one step at a time",
  examples: [
    { purpose: 'which nodes would be upgraded', line: '--dry-run' },
    { purpose: 'upgrade them without a question', line: '--yes' },
  ],
  takes: {
    ...clusterSettings(),
    dryRun: dryRunSetting(),
    plan: text(
      '--plan <file>',
      'carry out this plan (from plan --upgrade --out) or a part of it, and nothing else',
    ),
    yes: yesSetting(),
  },
  async run({ terminal, openContext }, { config, json, dryRun, yes, plan: approvedPath }) {
    const file = await readCheckedFile(config)
    const approved = await readApprovedPlan(approvedPath)
    await using context = await openContext()
    if (dryRun) {
      const { planCluster } = await import('../../../commands/cluster/plan-cluster.ts')
      const { refuseMoved } = await import('../../../run/refuse-moved.ts')
      const { plan } = await planCluster(context, { file, verb: 'upgrade' })
      await showPlan(terminal, plan, json, { applied: false })
      refuseErrors('plan-refused', plan.findings, config)
      refuseMoved(plan, approved)
      return 0
    }
    const { upgradeCluster } = await import('../../../commands/cluster/upgrade-cluster.ts')
    const confirm = confirmPlan(terminal, { yes, json })
    const { plan, applied } = await upgradeCluster(context, { file, approved, confirm })
    if (json) await showPlan(terminal, plan, true, { applied })
    if (!applied) throw notConfirmed('Answer yes, or give --yes.')
    return 0
  },
})
