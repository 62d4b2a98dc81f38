import { clusterSettings, yesSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { flag } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'

/** Squashes the history of the state branch, and reports what is not gone by that. */
export const compact = defineCommand({
  name: 'compact',
  description: 'squash the history of the state branch',
  examples: [{ purpose: 'make the history one commit', line: '' }],
  takes: {
    ...clusterSettings(),
    withOthers: flag('--with-others', 'even if other clusters have their history there'),
    yes: yesSetting(),
  },
  async run({ terminal, openContext }, { config, json, withOthers }) {
    const { compactState } = await import('../../../commands/state/compact-state.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const done = await compactState(context, { file, withOthers })
    if (json) {
      printJson(terminal, { ...done, others: [...done.others] })
      return 0
    }
    const { compacted, branch, formerCommits, formerHead, generation } = done
    if (!compacted) {
      terminal.print(`Nothing to compact: ${branch} is a single commit.\n`)
      return 0
    }
    terminal.print(
      `${branch}: ${formerCommits} commits became one (generation ${generation}); the former head was ${formerHead}\n`,
    )
    for (const other of done.others) {
      terminal.report(
        `The history of ${other} begins here too: sign for that with \`hcloud-talos repair\` and its cluster file.`,
      )
    }
    terminal.report(
      'Clones keep what they have, and GitHub serves a commit by its id until it collects what nothing refers to: nothing that was readable once becomes secret by this.',
    )
    return 0
  },
})
