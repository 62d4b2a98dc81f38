import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { text } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'

/** Writes a cluster's state into one encrypted file. */
export const exportCommand = defineCommand({
  name: 'export',
  description: 'write the state into one encrypted file, to be kept elsewhere',
  examples: [{ purpose: 'onto another disk', line: '--out /mnt/safe/demo.tar.age' }],
  takes: {
    ...clusterSettings(),
    out: text('-o, --out <file>', 'where it goes (default: <cluster>-recovery.tar.age)'),
  },
  async run({ terminal, openContext }, { config, json, out }) {
    const { exportState } = await import('../../../commands/state/export-state.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const { clusterName, generation, bundle, answer, provider } = await exportState(context, file)
    const isNewest = answer.kind === 'answered' && answer.anchor !== undefined
    const path = out ?? `${clusterName}-recovery.tar.age`
    await writePrivateFile(path, bundle)
    if (json) printJson(terminal, { path, clusterName, generation, bytes: bundle.length, isNewest })
    else {
      terminal.report(`wrote ${path}: generation ${generation} of ${clusterName}`)
      if (!isNewest) {
        const { name, unasked } = provider
        const reason =
          answer.kind === 'answered'
            ? `${name} remembers no generation of this cluster; an apply writes it down when it ends`
            : `${name} remembers that, and ${unasked.message} (${unasked.fix})`
        terminal.report(`Whether this generation is the newest is not known: ${reason}.`)
      }
      terminal.report(
        'Keep it away from the repository, and make a new one after each change of nodes.',
      )
    }
    return 0
  },
})
