import type { Command } from 'commander'
import type { CommandParts } from './command-parts.ts'
import type { Settings, ValuesOf } from './setting.ts'

export interface Example {
  /** What one would want it for. */
  readonly purpose: string
  /** What comes after the first word of the command. */
  readonly line: string
}

/** A word that commands stand below, and what every command has too. */
export interface CommandGroup {
  /** As it is typed: `secret set` stands below `secret`. */
  readonly name: string
  readonly description: string
  /** What to type for what people mostly want of it: in the help of its first word. */
  readonly examples: readonly Example[]
}

/** A command as its file declares it. */
interface CommandDefinition<Taken extends Settings> extends CommandGroup {
  /** Its options and arguments, in the order of its help. */
  readonly takes: Taken
  /** Does it and returns the exit code. It imports what only it needs, so that no other command loads that. */
  run(parts: CommandParts, values: ValuesOf<Taken>): Promise<number>
}

/** A command that the program can add and run, whatever it takes. */
export interface CliCommand extends CommandGroup {
  readonly takes: Settings
  /** Runs it with what was typed for it. */
  readonly run: (parts: CommandParts, typed: Command) => Promise<number>
}

/** Every command is one call of this, in a file of its own. */
export function defineCommand<Taken extends Settings>(
  definition: CommandDefinition<Taken>,
): CliCommand {
  const { name, description, examples, takes } = definition
  return {
    name,
    description,
    examples,
    takes,
    run: (parts, typed) => definition.run(parts, typed.opts<ValuesOf<Taken>>()),
  }
}
