import { ClusterError } from '../../../lib/cluster-error.ts'
import { clusterSettings, yesSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { askTypedName, notConfirmed } from '../../confirm-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { flag } from '../../setting.ts'
import { printJson, showPlan } from '../../show-plan.ts'

/** Takes over a cluster that somebody made by hand, after its name was typed out, and shows what an apply would do then. */
export const adopt = defineCommand({
  name: 'adopt',
  description: 'take over a cluster that somebody made with kubeadm on the hosts of the file',
  examples: [
    { purpose: 'see what was found, and what of the file contradicts it', line: '--dry-run' },
    { purpose: 'asks for the name of the cluster', line: '' },
    { purpose: 'in a script', line: '--yes' },
  ],
  takes: {
    ...clusterSettings(),
    dryRun: flag('--dry-run', 'show what was found and stop; changes nothing'),
    yes: yesSetting(),
  },
  async run({ terminal, openContext }, { config, json, dryRun, yes }) {
    const { adoptCluster } = await import('../../../commands/cluster/adopt-cluster.ts')
    const { readClusterFile } = await import('../../../commands/modes/cluster-modes.ts')
    const file = await readCheckedFile(config)
    const { clusterName } = readClusterFile(file).spec
    await using context = await openContext()
    const adopted = await adoptCluster(context, {
      file,
      async confirm(shown) {
        terminal.report(shown.join('\n'))
        if (dryRun || yes) return !dryRun
        const name = await askTypedName(terminal, `This adopts the cluster ${clusterName}`)
        if (name === undefined || name === '' || name === clusterName) return name === clusterName
        throw new ClusterError(
          'not-confirmed',
          `${name} is not the name of this cluster; nothing was changed`,
          { hint: `Type ${clusterName}.` },
        )
      },
    })
    if (adopted === undefined) {
      if (!dryRun) throw notConfirmed(`Type ${clusterName}, or give --yes.`)
      if (json) printJson(terminal, { adopted: false })
      return 0
    }
    const { generation, nodes, plan } = adopted
    if (json) {
      printJson(terminal, {
        adopted: true,
        generation,
        nodes: [...nodes],
        changes: plan.changes.length,
      })
      return 0
    }
    terminal.report(`adopted ${nodes.length} nodes as generation ${generation}`)
    await showPlan(terminal, plan, false)
    return 0
  },
})
