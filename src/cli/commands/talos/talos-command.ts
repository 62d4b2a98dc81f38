import { readFile } from 'node:fs/promises'
import { reachCluster } from '../../../commands/talos/reach-cluster.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import type { CommandParts } from '../../command-parts.ts'
import { notConfirmed } from '../../confirm-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { clusterVerbs } from './cluster-verbs.ts'
import { fileVerbs } from './file-verbs.ts'
import { reportVerbs } from './report-verbs.ts'
import { streamVerbs } from './stream-verbs.ts'
import type { TalosVerbName } from './talos-program.ts'
import type { TalosOptions, TalosRequest } from './talos-request.ts'
import type { Verb } from './verb.ts'

const verbs: Readonly<Record<TalosVerbName, Verb>> = {
  ...reportVerbs,
  ...streamVerbs,
  ...fileVerbs,
  ...clusterVerbs,
}

/** Does what one of the verbs below `talos` does, on the nodes that are meant. */
export async function talosCommand(
  { terminal, openContext }: CommandParts,
  request: TalosRequest,
): Promise<number> {
  const { options } = request
  const verb = verbs[request.verb]
  const question = verb.question?.(request)
  const whom = options.talosconfig
    ? { talosconfig: await readTalosconfig(options.talosconfig, options) }
    : { file: await readCheckedFile(options.config) }
  const input = (await verb.input?.(request)) ?? ''
  if (question !== undefined) await confirm(terminal, question, options.yes)
  await using context = await openContext()
  const { nodes, endpoints } = options
  await reachCluster(context, { ...whom, nodes, endpoints, role: verb.role }, (cluster) =>
    verb.run({ ...request, cluster, context, terminal, input }),
  )
  return 0
}

async function readTalosconfig(path: string, { context }: TalosOptions) {
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
