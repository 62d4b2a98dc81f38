import { refuseErrors } from '../../../lib/findings-error.ts'
import {
  clusterSettings,
  dryRunSetting,
  replaceSetting,
  stageSetting,
  yesSetting,
} from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { askTypedName, confirmPlan, notConfirmed } from '../../confirm-plan.ts'
import { readApprovedPlan } from '../../read-approved-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { text } from '../../setting.ts'
import { showPlan } from '../../show-plan.ts'

/** Applies the file. A dry run is a plan: it takes no lock, and needs neither the identity nor the right to write. */
export const apply = defineCommand({
  name: 'apply',
  description: 'bring the cluster to what the file asks for',
  examples: [
    { purpose: 'show the plan, ask, carry it out', line: '' },
    { purpose: 'only what was approved', line: '--plan plan.json --yes' },
    { purpose: 'a node that never answers again', line: '--replace demo-control-plane-2' },
    { purpose: 'show the plan and stop', line: '--config eu/shop.yaml --dry-run' },
  ],
  takes: {
    ...clusterSettings(),
    dryRun: dryRunSetting(),
    plan: text(
      '--plan <file>',
      'carry out this plan (from plan --out) or a part of it, and nothing else',
    ),
    stage: stageSetting(),
    replace: replaceSetting(),
    confirm: text(
      '--confirm <name>',
      'the name of the cluster, typed out, where a plan asks for it; asked for at a terminal',
    ),
    yes: yesSetting(),
  },
  async run({ terminal, openContext }, { config, json, dryRun, yes, stage, replace, ...given }) {
    const { applyCluster } = await import('../../../commands/cluster/apply-cluster.ts')
    const file = await readCheckedFile(config)
    const approved = await readApprovedPlan(given.plan)
    await using context = await openContext()
    if (dryRun) {
      const { planCluster } = await import('../../../commands/cluster/plan-cluster.ts')
      const { refuseMoved } = await import('../../../run/refuse-moved.ts')
      const { plan } = await planCluster(context, { file, verb: 'apply', stage, replace })
      await showPlan(terminal, plan, json, { applied: false })
      refuseErrors('plan-refused', plan.findings, config)
      refuseMoved(plan, approved)
      return 0
    }
    const { plan, applied } = await applyCluster(context, {
      file,
      approved,
      stage,
      replace,
      confirm: confirmPlan(terminal, { yes, json }),
      typedName: async (question) => given.confirm ?? (await askTypedName(terminal, question)),
    })
    if (json) await showPlan(terminal, plan, true, { applied })
    if (!applied) throw notConfirmed('Answer yes, or give --yes.')
    return 0
  },
})
