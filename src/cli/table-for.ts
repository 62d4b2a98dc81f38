import type { CliCommand, CommandGroup } from './command.ts'
import { commandTable } from './command-table.ts'
import { completion } from './commands/shell/completion.ts'
import { talosGroup } from './commands/talos/talos-group.ts'

/** The commands that these words can mean: the verbs of `talos` are as many as all others, and few lines need them. */
export async function tableFor(
  words: readonly string[],
): Promise<readonly (CliCommand | CommandGroup)[]> {
  if (!words.includes(talosGroup.name) && !words.includes(completion.name)) return commandTable
  const { wholeTable } = await import('./whole-table.ts')
  return wholeTable
}
