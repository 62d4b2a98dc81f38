import type { Command } from 'commander'
import type { GithubPlace } from '../run/github-place.ts'
import type { RunContext } from '../run/run-context.ts'
import type { Terminal } from './terminal/terminal.ts'

/** What every command works with. */
export interface CommandParts {
  readonly terminal: Terminal
  /** Reads the environment and makes a temporary folder; both only when it is called. */
  readonly openContext: () => Promise<RunContext & AsyncDisposable>
  /** Where GitHub can be asked; undefined without a token, or where the repository is not there. */
  readonly openGithub: () => Promise<GithubPlace | undefined>
  readonly signal: AbortSignal
  /** The PATH on which git is found. */
  readonly path: string
  /** The program that the command is one of. */
  readonly program: () => Command
}
