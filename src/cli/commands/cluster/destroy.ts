import { destroyCluster } from '../../../commands/cluster/destroy-cluster.ts'
import type { Plan } from '../../../plan/plan.ts'
import { readClusterFile } from '../../../run/cluster-session.ts'
import { confirmDestroy, notConfirmed } from '../../confirm-plan.ts'
import type { DestroyOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { showPlan } from '../../show-plan.ts'

/** Deletes the cluster, after its name was typed out. A dry run shows what would go. */
export async function destroyCommand(
  parts: CommandParts,
  { config, json, dryRun, confirm }: DestroyOptions,
): Promise<number> {
  const { terminal, openContext } = parts
  const file = await readCheckedFile(config)
  const { clusterName } = readClusterFile(file).spec
  await using context = await openContext()
  const showOnly = async (plan: Plan) => {
    if (!json) showPlan(terminal, plan, false)
    return false
  }
  const { plan, destroyed, kept } = await destroyCluster(context, {
    file,
    confirm: dryRun ? showOnly : confirmDestroy(terminal, clusterName, { confirm, json }),
  })
  if (json) showPlan(terminal, plan, true, { destroyed, kept: [...kept] })
  if (dryRun) return 0
  if (!destroyed) throw notConfirmed(`type ${clusterName}, or give --confirm ${clusterName}`)
  for (const name of kept) terminal.tell(`kept the volume ${name}`)
  return 0
}
