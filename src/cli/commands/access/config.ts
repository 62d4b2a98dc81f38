import type { compareNodeConfig } from '../../../commands/talos/node-config.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { argument, flag, text, without } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'

/** Exit code of `--detailed-exitcode` when the node runs something else. */
const differs = 2

/** Shows the machine config that an apply would hand a node, or how what the node runs differs from it. */
export const config = defineCommand({
  name: 'config',
  description: 'show the machine config of a node, or what the node runs otherwise',
  examples: [
    { purpose: 'what an apply would hand a node, secrets hidden', line: 'demo-workers-1' },
    { purpose: 'what the node runs otherwise', line: 'demo-workers-1 --diff' },
    {
      purpose: 'all of it, into a file',
      line: 'demo-workers-1 --with-secrets --out node.yaml',
    },
  ],
  takes: {
    ...clusterSettings(),
    node: argument('<node>', 'its name, or its private address'),
    diff: flag('--diff', 'compare with what the node runs'),
    withSecrets: without(flag('--with-secrets', 'with every secret; needs --out'), 'diff'),
    out: without(text('-o, --out <file>', 'where it goes; readable by you alone'), 'diff'),
    detailedExitcode: flag(
      '--detailed-exitcode',
      'with --diff: exit with 2 when the node runs something else',
    ),
  },
  async run({ terminal, openContext }, { node, json, withSecrets, out, ...given }) {
    if (withSecrets && out === undefined) {
      throw new ClusterError('usage', '--with-secrets needs --out: secrets are never printed', {
        hint: 'Add --out <file>, which is readable by you alone.',
      })
    }
    const nodeConfig = await import('../../../commands/talos/node-config.ts')
    const file = await readCheckedFile(given.config)
    await using context = await openContext()
    const input = { file, node }
    if (given.diff) {
      const compared = await nodeConfig.compareNodeConfig(context, input)
      return showDifference(terminal, { json, ...given }, compared)
    }
    const show = withSecrets ? nodeConfig.revealNodeConfig : nodeConfig.showNodeConfig
    const rendered = await show(context, input)
    if (out !== undefined) {
      await writePrivateFile(out, rendered.text)
      if (json) printJson(terminal, { node: rendered.node, path: out })
      else terminal.report(`wrote ${out}${withSecrets ? ', with every secret of the node' : ''}`)
    } else if (json) printJson(terminal, { node: rendered.node, config: rendered.text })
    else terminal.print(rendered.text)
    return 0
  },
})

type ComparedConfig = Awaited<ReturnType<typeof compareNodeConfig>>

async function showDifference(
  terminal: Terminal,
  { json, detailedExitcode }: { readonly json: boolean; readonly detailedExitcode: boolean },
  { node, differences }: ComparedConfig,
): Promise<number> {
  if (json) {
    const shown = differences.map(({ path, before = null, after = null, effect }) => ({
      path,
      running: before,
      wanted: after,
      effect,
    }))
    printJson(terminal, { node, differences: shown })
  } else if (differences.length === 0) terminal.report(`${node} runs what the file asks for`)
  else {
    const { formatField } = await import('../../../plan/format-field.ts')
    const lines = differences.map((field) =>
      visibleLine(`${formatField(field)}  (${field.effect})`),
    )
    terminal.print(
      `${node}, what it runs → what an apply would hand it:\n  ${lines.join('\n  ')}\n`,
    )
  }
  return detailedExitcode && differences.length > 0 ? differs : 0
}
