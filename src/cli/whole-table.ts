import type { CliCommand, CommandGroup } from './command.ts'
import { commandTable } from './command-table.ts'
import { talosCommands } from './commands/talos/talos-commands.ts'
import { talosGroup } from './commands/talos/talos-group.ts'

/** Every command with all verbs of `talos`. */
export const wholeTable: readonly (CliCommand | CommandGroup)[] = commandTable.flatMap((entry) =>
  entry === talosGroup ? talosCommands : [entry],
)
