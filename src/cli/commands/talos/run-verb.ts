import { readFile } from 'node:fs/promises'
import { reachCluster } from '../../../commands/talos/reach-cluster.ts'
import type { TalosTarget } from '../../../commands/talos/reached-cluster.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import type { CommandParts } from '../../command-parts.ts'
import { notConfirmed } from '../../confirm-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { VerbParts } from './define-verb.ts'
import type { VerbSettings } from './verb-settings.ts'

/** One verb with what was typed for it. */
interface TypedVerb {
  readonly role: TalosTarget['role']
  readonly question: () => string | undefined
  readonly input: () => Promise<string>
  readonly run: (parts: VerbParts) => Promise<void>
}

/** Does what one of the verbs below `talos` does, on the nodes that are meant. */
export async function runVerb(
  { terminal, openContext }: CommandParts,
  values: VerbSettings,
  verb: TypedVerb,
): Promise<number> {
  const question = verb.question()
  const whom = values.talosconfig
    ? { talosconfig: await readTalosconfig(values.talosconfig, values) }
    : { file: await readCheckedFile(values.config) }
  const input = await verb.input()
  if (question !== undefined) await confirm(terminal, question, values.yes)
  await using context = await openContext()
  const { nodes, endpoints } = values
  await reachCluster(context, { ...whom, nodes, endpoints, role: verb.role }, (cluster) =>
    verb.run({ cluster, context, terminal, input }),
  )
  return 0
}

async function readTalosconfig(path: string, { context }: VerbSettings) {
  try {
    return { path, text: await readFile(path, 'utf8'), context }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new ClusterError('talosconfig-invalid', `it cannot be read: ${reason}`, {
      operation: 'read',
      target: path,
      hint: 'Create one with `hcloud-talos talosconfig`.',
      cause: error,
    })
  }
}

/** Throws `not-confirmed` without a yes; where nobody can be asked it must have been given. */
async function confirm(terminal: Terminal, question: string, yes = false): Promise<void> {
  if (yes) return
  if (terminal.questions === 'person') {
    if ((await terminal.ask(`${question} Only "yes" does: `)) === 'yes') return
  }
  throw notConfirmed('Answer yes, or give --yes.')
}
