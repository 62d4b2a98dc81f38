import { CommanderError } from 'commander'
import { ClusterError } from '../lib/cluster-error.ts'
import { describeError, describeFinding } from '../lib/describe-error.ts'
import { FindingsError } from '../lib/findings-error.ts'
import { randomHex, systemRandom } from '../lib/random.ts'
import { Redactor } from '../lib/redactor.ts'
import { toolVersion } from '../lib/tool-version.ts'
import { createHandlers } from './handlers.ts'
import { createProgram } from './program.ts'
import { createTerminal, type Terminal } from './terminal.ts'

const usageExitCode = 3

/** The command at a terminal: reads the command line, runs one subcommand, reports how it ended. */
export async function main(argv: readonly string[] = process.argv): Promise<void> {
  const environment = process.env
  const redactor = new Redactor()
  const streams = { input: process.stdin, output: process.stdout, error: process.stderr }
  const terminal = createTerminal(streams, environment, redactor)
  const interruption = new AbortController()
  const onSignal = () =>
    interruption.abort(
      new ClusterError('interrupted', 'interrupted', {
        hint: 'run it again: it goes on where it stopped',
      }),
    )
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  const handlers = createHandlers({
    terminal,
    signal: interruption.signal,
    path: environment['PATH'] ?? '',
    program: () => program,
    openContext: async () => {
      const { createRunContext } = await import('../commands/create-run-context.ts')
      return createRunContext({
        environment,
        folder: process.cwd(),
        progress: terminal.progress,
        redactor,
        signal: interruption.signal,
        toolVersion,
        run: {
          id: `terminal-${randomHex(systemRandom, 4)}`,
          attempt: 1,
          url: undefined,
          commit: undefined,
          actor: environment['USER'],
        },
      })
    },
  })
  const program = createProgram(handlers, (exitCode) => {
    process.exitCode = exitCode
  })
  program.exitOverride()
  for (const command of program.commands) command.exitOverride()
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    process.exitCode = report(error, terminal)
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

/** Tells an error on standard error and returns the exit code that stands for it. */
function report(error: unknown, terminal: Terminal): number {
  // Commander has printed its own message, the help and the version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExitCode
  if (error instanceof FindingsError) {
    for (const finding of error.findings) terminal.tell(describeFinding(error.file, finding))
  }
  const { headline, details, exitCode } = describeError(error)
  terminal.tell(`error ${headline}`)
  for (const line of details) terminal.tell(`  ${line}`)
  return exitCode
}
