import { readFile } from 'node:fs/promises'
import { ClusterError } from '../../../lib/cluster-error.ts'
import type { WayIn } from '../../../run/mode/cluster-recovery.ts'
import { clusterSettings, yesSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { flag, text, without } from '../../setting.ts'
import { printJson, showPlan } from '../../show-plan.ts'

/** Recreates a lost state branch from the cluster that runs, and shows what an apply would do then. */
export const recover = defineCommand({
  name: 'recover',
  description: 'recreate a lost state branch from the cluster that runs',
  examples: [
    { purpose: 'with a talosconfig that you still have', line: '--talosconfig talosconfig' },
    { purpose: "with a control plane's machine config", line: '--secrets controlplane.yaml' },
    { purpose: 'a cluster on hosts, which need nothing but their SSH key', line: '-c hosts.yaml' },
  ],
  takes: {
    ...clusterSettings(),
    talosconfig: without(
      text('--talosconfig <file>', 'a talosconfig of the role os:admin'),
      'secrets',
    ),
    secrets: text(
      '--secrets <file>',
      "talosctl's secrets file, or a control plane's machine config",
    ),
    replaceState: flag('--replace-state', 'take the place of a state that no repair leads back to'),
    yes: yesSetting(),
  },
  async run({ terminal, openContext }, { config, json, replaceState: replaces, ...given }) {
    const { recoverState } = await import('../../../commands/state/recover-state.ts')
    const file = await readCheckedFile(config)
    const wayIn = await readWayIn(given)
    await using context = await openContext()
    const { generation, nodes, plan } = await recoverState(context, { file, wayIn, replaces })
    if (json) {
      printJson(terminal, { generation, nodes: [...nodes], changes: plan.changes.length })
      return 0
    }
    terminal.report(`recovered ${nodes.length} nodes as generation ${generation}`)
    await showPlan(terminal, plan, false)
    return 0
  },
})

interface WayInFiles {
  readonly talosconfig: string | undefined
  readonly secrets: string | undefined
}

/** Undefined where neither is given: a cluster on hosts needs no more than its file names. */
async function readWayIn({ talosconfig, secrets }: WayInFiles): Promise<WayIn | undefined> {
  if (talosconfig !== undefined) return { kind: 'talosconfig', text: await readText(talosconfig) }
  if (secrets !== undefined) return { kind: 'secrets', text: await readText(secrets) }
  return undefined
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
