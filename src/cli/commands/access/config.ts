import {
  compareNodeConfig,
  revealNodeConfig,
  showNodeConfig,
} from '../../../commands/access/node-config.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import { formatField } from '../../../plan/format-field.ts'
import type { ConfigOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'

/** Exit code of `--detailed-exitcode` when the node runs something else. */
const differs = 2

/** Shows the machine config that an apply would hand a node, or how what the node runs differs from it. */
export async function configCommand(parts: CommandParts, options: ConfigOptions): Promise<number> {
  const { config, node, diff, withSecrets, out } = options
  if (withSecrets && out === undefined) {
    throw new ClusterError('usage', '--with-secrets needs --out: secrets are never printed', {
      hint: 'Add --out <file>, which is readable by you alone.',
    })
  }
  const file = await readCheckedFile(config)
  await using context = await parts.openContext()
  const input = { file, node }
  if (diff) return showDifference(parts, options, await compareNodeConfig(context, input))
  const rendered = await (withSecrets ? revealNodeConfig : showNodeConfig)(context, input)
  const { terminal } = parts
  if (out !== undefined) {
    await writePrivateFile(out, rendered.text)
    if (options.json) printJson(terminal, { node: rendered.node, path: out })
    else terminal.tell(`wrote ${out}${withSecrets ? ', with every secret of the node' : ''}`)
  } else if (options.json) printJson(terminal, { node: rendered.node, config: rendered.text })
  else terminal.print(rendered.text)
  return 0
}

function showDifference(
  { terminal }: CommandParts,
  { json, detailedExitcode }: ConfigOptions,
  { node, differences }: Awaited<ReturnType<typeof compareNodeConfig>>,
): number {
  if (json) {
    const shown = differences.map(({ path, before = null, after = null, effect }) => ({
      path,
      running: before,
      wanted: after,
      effect,
    }))
    printJson(terminal, { node, differences: shown })
  } else if (differences.length === 0) terminal.tell(`${node} runs what the file asks for`)
  else {
    const lines = differences.map((field) =>
      visibleLine(`${formatField(field)}  (${field.effect})`),
    )
    terminal.print(
      `${node}, what it runs → what an apply would hand it:\n  ${lines.join('\n  ')}\n`,
    )
  }
  return detailedExitcode && differences.length > 0 ? differs : 0
}
