import type { RunContext } from '../run-context.ts'
import { HostConnections } from './host-connections.ts'
import type { SourceSurroundings } from './secret-sources.ts'

interface ConnectOptions extends Pick<SourceSurroundings, 'filePath' | 'namedSecrets'> {
  /** How long one connection may take, in milliseconds. */
  readonly withinMs: number
}

/** The hosts of a run, with what its environment gives to log in; connects to nobody yet. Close it in the end. */
export function connectHosts(
  { clock, redactor, signal, state }: RunContext,
  { filePath, namedSecrets, withinMs }: ConnectOptions,
): HostConnections {
  return new HostConnections(
    { clock, redactor, signal, connectWithinMs: withinMs },
    { environment: state.environment, filePath, namedSecrets },
  )
}
