import { readFile } from 'node:fs/promises'
import { recoverState } from '../../../commands/state/recover-state.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import type { WayIn } from '../../../run/recovery-way-in.ts'
import type { RecoverOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson, showPlan } from '../../show-plan.ts'

/** Recreates a lost state branch from the cluster that runs, and shows what an apply would do then. */
export async function recoverCommand(
  { terminal, openContext }: CommandParts,
  options: RecoverOptions,
): Promise<number> {
  const { config, json } = options
  const file = await readCheckedFile(config)
  const wayIn = await readWayIn(options)
  await using context = await openContext()
  const { generation, nodes, plan } = await recoverState(context, {
    file,
    wayIn,
    replaces: options.replaceState,
  })
  if (json) {
    printJson(terminal, { generation, nodes: [...nodes], changes: plan.changes.length })
    return 0
  }
  terminal.tell(`recovered ${nodes.length} nodes as generation ${generation}`)
  showPlan(terminal, plan, false)
  return 0
}

async function readWayIn({ talosconfig, secrets }: RecoverOptions): Promise<WayIn> {
  if (talosconfig !== undefined) return { kind: 'talosconfig', text: await readText(talosconfig) }
  if (secrets !== undefined) return { kind: 'secrets', text: await readText(secrets) }
  throw new ClusterError('usage', 'nothing is given that leads into the cluster', {
    hint: 'Give --talosconfig, or --secrets with the file of `talosctl gen secrets` or the machine config of a control plane; docs/disaster-recovery.md says how to come by one.',
  })
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new ClusterError('usage', 'the file cannot be read', {
      target: path,
      hint: 'Check the path.',
      cause: error,
    })
  }
}
