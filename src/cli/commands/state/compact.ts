import { compactState } from '../../../commands/state/compact-state.ts'
import type { CompactOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'

/** Squashes the history of the state branch, and says what is not gone by that. */
export async function compactCommand(
  { terminal, openContext }: CommandParts,
  { config, json, withOthers }: CompactOptions,
): Promise<number> {
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
    terminal.tell(
      `The history of ${other} begins here too: sign for that with \`hcloud-talos repair\` and its cluster file.`,
    )
  }
  terminal.tell(
    'Clones keep what they have, and GitHub serves a commit by its id until it collects what nothing refers to: nothing that was readable once becomes secret by this.',
  )
  return 0
}
