import { ClusterError } from '../../../lib/cluster-error.ts'
import type { RestorePlan } from '../../../planner/restore-plan.ts'
import { clusterSettings, typedNameSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { notConfirmed } from '../../confirm-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { flag, neededText } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** Restores a cluster from a snapshot, after its name was typed out. */
export const restore = defineCommand({
  name: 'restore',
  description: 'bring a cluster whose etcd is lost back from a snapshot',
  examples: [
    { purpose: 'asks for the name of the cluster', line: '--snapshot s3://my-bucket/demo.age' },
    { purpose: 'in a script', line: '--snapshot backups/demo.etcd.age --confirm demo' },
  ],
  takes: {
    ...clusterSettings(),
    snapshot: neededText(
      '--snapshot <place>',
      'a file or s3://bucket/key; a plain snapshot is taken too',
    ),
    confirm: typedNameSetting(),
    discardEtcd: flag(
      '--discard-etcd',
      'go back to the snapshot although etcd is alive, or a control plane holds newer data',
    ),
  },
  async run({ terminal, openContext }, { config, json, snapshot, confirm, discardEtcd }) {
    const { restoreCluster } = await import('../../../commands/backup/restore-cluster.ts')
    const { readClusterFile } = await import('../../../commands/modes/cluster-modes.ts')
    const file = await readCheckedFile(config)
    const { clusterName } = readClusterFile(file).spec
    if (confirm !== undefined && confirm !== clusterName) throw otherName(confirm, clusterName)
    await using context = await openContext()
    const { plan, restored, left } = await restoreCluster(context, {
      file,
      snapshot,
      discardEtcd,
      confirm: (shown) => confirmRestore(terminal, shown, confirm),
    })
    if (!restored) throw notConfirmed(`Type ${clusterName}, or give --confirm ${clusterName}.`)
    if (json) printJson(terminal, { restored, snapshot: plan.digest, left })
    if (left > 0) terminal.report(`${left} changes are left: \`hcloud-talos apply\` makes them`)
    return 0
  },
})

async function confirmRestore(
  terminal: Terminal,
  plan: RestorePlan,
  confirm: string | undefined,
): Promise<boolean> {
  const { describeRestore } = await import('../../../planner/restore-plan.ts')
  terminal.report(describeRestore(plan))
  if (confirm !== undefined) return true
  if (terminal.questions === 'nobody') return false
  const name = await terminal.ask('Type the name of the cluster to restore it: ')
  if (name !== '' && name !== plan.clusterName) throw otherName(name, plan.clusterName)
  return name !== ''
}

function otherName(name: string, clusterName: string): ClusterError {
  return new ClusterError(
    'not-confirmed',
    `${name} is not the name of this cluster; nothing was changed`,
    { hint: `Type ${clusterName}.` },
  )
}
