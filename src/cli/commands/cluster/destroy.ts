import type { Plan } from '../../../plan/plan.ts'
import { clusterSettings, typedNameSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { confirmDestroy, notConfirmed } from '../../confirm-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { flag } from '../../setting.ts'
import { showPlan } from '../../show-plan.ts'

/** Deletes the cluster, after its name was typed out. A dry run shows what would go. */
export const destroy = defineCommand({
  name: 'destroy',
  description: 'delete exactly what belongs to the cluster',
  examples: [
    { purpose: 'see what would go', line: '--dry-run' },
    { purpose: 'in a script, the name stands for a yes', line: '--confirm demo' },
  ],
  takes: {
    ...clusterSettings(),
    dryRun: flag('--dry-run', 'show what would be deleted and stop'),
    confirm: typedNameSetting(),
  },
  async run({ terminal, openContext }, { config, json, dryRun, confirm }) {
    const { destroyCluster } = await import('../../../commands/cluster/destroy-cluster.ts')
    const { readClusterFile } = await import('../../../commands/modes/cluster-modes.ts')
    const file = await readCheckedFile(config)
    const { clusterName } = readClusterFile(file).spec
    await using context = await openContext()
    const showOnly = async (plan: Plan) => {
      if (!json) await showPlan(terminal, plan, false)
      return false
    }
    const { plan, destroyed, kept } = await destroyCluster(context, {
      file,
      confirm: dryRun ? showOnly : confirmDestroy(terminal, clusterName, { confirm, json }),
    })
    if (json) await showPlan(terminal, plan, true, { destroyed, kept: [...kept] })
    if (dryRun) return 0
    if (!destroyed) throw notConfirmed(`Type ${clusterName}, or give --confirm ${clusterName}.`)
    for (const name of kept) terminal.report(`kept the volume ${name}`)
    return 0
  },
})
