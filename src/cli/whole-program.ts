import type { Command } from 'commander'
import { programOf, type RunCommand } from './program.ts'
import { wholeTable } from './whole-table.ts'

/** The command line with every command there is: for what goes over all of them, as the reference does. */
export function createProgram(
  run: RunCommand,
  gate?: (command: Command) => Promise<void>,
): Command {
  return programOf(wholeTable, run, gate)
}
