import type { ReachedCluster, TalosTarget } from '../../../commands/talos/reached-cluster.ts'
import type { RunContext } from '../../../run/run-context.ts'
import type { CliCommand } from '../../command.ts'
import type { Settings, ValuesOf } from '../../setting.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type Printing, type VerbSettings, verbSettings } from './verb-settings.ts'

/** What a verb works with. */
export interface VerbParts {
  readonly cluster: ReachedCluster
  readonly context: RunContext
  readonly terminal: Terminal
  /** What `input` read, empty for a verb that reads nothing. */
  readonly input: string
}

/** What was typed for a verb. */
type VerbValues<Taken extends Settings> = VerbSettings & ValuesOf<Taken>

/** A verb of `talos` as its file declares it. */
interface VerbDefinition<Name extends string, Taken extends Settings> {
  /** As it is typed behind `talos`. */
  readonly name: Name
  readonly description: string
  /** `report`: once, when all nodes have answered. `stream` is item by item; `bytes` have no format. */
  readonly prints: Printing
  /** The least role that does it. */
  readonly role: TalosTarget['role']
  /** What it takes beside what every verb takes, in the order of its help. */
  readonly takes: Taken
  /** For what cannot be taken back: what is asked before anything else is done. Throws `usage`. */
  question?(values: VerbValues<Taken>): string | undefined
  /** The text that the verb takes from this machine, read before a node is asked. Throws `usage`. */
  input?(values: VerbValues<Taken>): Promise<string>
  /** Does it. It imports what only it needs, so that no other command loads that. */
  run(parts: VerbParts, values: VerbValues<Taken>): Promise<void>
}

export interface TalosVerb<Name extends string> extends CliCommand {
  readonly verb: Name
  readonly role: TalosTarget['role']
}

/** For what goes on until it ends, or somebody ends it. */
export const forever = { timeoutMs: Number.POSITIVE_INFINITY }

/** Every verb of `talos` is one call of this, in a file of its own: a command that reaches the nodes before it runs. */
export function defineVerb<const Name extends string, Taken extends Settings>(
  definition: VerbDefinition<Name, Taken>,
): TalosVerb<Name> {
  const { name: verb, description, prints, role, takes } = definition
  return {
    verb,
    role,
    name: `talos ${verb}`,
    description,
    examples: [],
    takes: { ...verbSettings(prints), ...takes },
    async run(parts, typed) {
      const values = typed.opts<VerbValues<Taken>>()
      const { runVerb } = await import('./run-verb.ts')
      return runVerb(parts, values, {
        role,
        question: () => definition.question?.(values),
        input: async () => (await definition.input?.(values)) ?? '',
        run: (reached) => definition.run(reached, values),
      })
    },
  }
}
