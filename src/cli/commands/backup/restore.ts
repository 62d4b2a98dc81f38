import { restoreCluster } from '../../../commands/backup/restore-cluster.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { describeRestore, type RestorePlan } from '../../../planner/plan-restore.ts'
import { readClusterFile } from '../../../run/cluster-session.ts'
import { notConfirmed } from '../../confirm-plan.ts'
import type { RestoreOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** Restores a cluster from a snapshot, after its name was typed out. */
export async function restoreCommand(
  { terminal, openContext }: CommandParts,
  { config, json, snapshot, confirm, discardEtcd }: RestoreOptions,
): Promise<number> {
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
  if (!restored) throw notConfirmed(`type ${clusterName}, or give --confirm ${clusterName}`)
  if (json) printJson(terminal, { restored, snapshot: plan.digest, left })
  if (left > 0) terminal.tell(`${left} changes are left: \`hcloud-talos apply\` makes them`)
  return 0
}

async function confirmRestore(
  terminal: Terminal,
  plan: RestorePlan,
  confirm: string | undefined,
): Promise<boolean> {
  terminal.tell(describeRestore(plan))
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
