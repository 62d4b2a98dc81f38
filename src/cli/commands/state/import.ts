import { readFile } from 'node:fs/promises'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { clusterSettings, yesSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { flag, neededText } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'

/** Restores a cluster's state from a file that an export wrote. */
export const importCommand = defineCommand({
  name: 'import',
  description: 'restore the state from such a file',
  examples: [
    { purpose: 'the branch is lost', line: '--from demo-recovery.tar.age' },
    {
      purpose: 'and the newest file is an old one',
      line: '--from demo-recovery.tar.age --accept-older',
    },
  ],
  takes: {
    ...clusterSettings(),
    from: neededText('--from <file>', 'what export wrote'),
    acceptOlder: flag('--accept-older', 'take one that is older than the newest known generation'),
    replaceOlder: flag(
      '--replace-older',
      'take the place of a state that was imported from an older file',
    ),
    yes: yesSetting(),
  },
  async run({ terminal, openContext }, { config, json, from: path, acceptOlder, replaceOlder }) {
    const { importState } = await import('../../../commands/state/import-state.ts')
    const file = await readCheckedFile(config)
    const bundle = await readBundle(path)
    await using context = await openContext()
    const done = await importState(context, {
      file,
      bundle,
      acceptsOlder: acceptOlder,
      replaces: replaceOlder,
    })
    const { from, writtenAt, generation, remembered } = done
    if (json) {
      printJson(terminal, { ...done, remembered: remembered ?? null })
      return 0
    }
    terminal.print(
      `The state is back: generation ${from} of ${writtenAt}, written as generation ${generation}.\n`,
    )
    if (remembered !== undefined && remembered > from) {
      terminal.report(
        `Generation ${remembered} is known to have been written: what came after ${from} is lost. A plan shows nodes that this state does not know as ones to delete.`,
      )
    }
    terminal.report('Look at a plan before you apply anything.')
    return 0
  },
})

async function readBundle(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new ClusterError('bundle-invalid', 'the recovery bundle cannot be read', {
      operation: 'open the recovery bundle',
      target: path,
      hint: 'Name the file that `hcloud-talos export` wrote: --from <file>.',
      cause: error,
    })
  }
}
