import type { ReachedCluster, TalosTarget } from '../../../commands/talos/reached-cluster.ts'
import type { RunContext } from '../../../run/run-context.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { TalosRequest } from './talos-request.ts'

/** What a verb works with. */
export interface VerbParts extends TalosRequest {
  readonly cluster: ReachedCluster
  readonly context: RunContext
  readonly terminal: Terminal
  /** What `Verb.input` read, empty for a verb that reads nothing. */
  readonly input: string
}

/** What a verb does, and the least role that does it. */
export interface Verb {
  readonly role: TalosTarget['role']
  /** For what cannot be taken back: what is asked before anything else is done. Throws `usage`. */
  readonly question?: (request: TalosRequest) => string | undefined
  /** The text that the verb takes from this machine, read before a node is asked. Throws `usage`. */
  readonly input?: (request: TalosRequest) => Promise<string>
  readonly run: (parts: VerbParts) => Promise<void>
}

/** The first thing that was typed behind the verb, which commander has seen to be there. */
export function firstArgument({ args }: TalosRequest): string {
  return args[0] ?? ''
}
