import { fstatSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import { describeError, describeFinding } from '../lib/describe-error.ts'
import { endSoon } from '../lib/end-process.ts'
import { errorCodes } from '../lib/error-codes.ts'
import { FindingsError } from '../lib/findings-error.ts'
import { originalFailure } from '../lib/original-failure.ts'
import { systemRandom } from '../lib/random.ts'
import { Redactor } from '../lib/redactor.ts'
import { toolVersion } from '../lib/tool-version.ts'
import type { CommandParts } from './command-parts.ts'
import { confirmChange } from './confirm-change.ts'
import { programOf } from './program.ts'
import { createRecordingSwitch } from './recording-switch.ts'
import { tableFor } from './table-for.ts'
import { type Interruption, listenForInterruption } from './terminal/interruption.ts'
import { createTerminal, type Terminal } from './terminal/terminal.ts'
import { terminalRun } from './terminal/terminal-run.ts'
import { watchOutput } from './terminal/watch-output.ts'

/** The command at a terminal: reads the command line, runs one subcommand, reports how it ended. */
export async function main(argv: readonly string[] = process.argv): Promise<void> {
  const { stdin: input, stdout: output, stderr: error, env: environment } = process
  const redactor = new Redactor()
  const outputIsWritten = watchOutput(output)
  // There is nobody left to report to.
  error.on('error', () => undefined)
  using interruption = listenForInterruption((line) => error.write(`${line}\n`))
  const { signal, interrupt: onInterrupt } = interruption
  const terminal = createTerminal({
    input,
    output,
    error,
    outputIsFile: isFile(output.fd),
    environment,
    redactor,
    signal,
    onInterrupt,
  })
  // Node would write its warnings past the terminal.
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => terminal.report(`${name}: ${message}`))
  // A bug, and reported like one, but without secrets.
  process.once('uncaughtException', (bug) => process.exit(report(bug, terminal)))
  try {
    await run([...argv], { environment, redactor, terminal, interruption })
    await outputIsWritten()
  } catch (error) {
    process.exitCode = report(error, terminal)
  } finally {
    endSoon([output, error], () => process.exit())
  }
}

interface Run {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly redactor: Redactor
  readonly terminal: Terminal
  readonly interruption: Interruption
}

async function run(argv: string[], parts: Run): Promise<void> {
  const { environment, redactor, terminal, interruption } = parts
  const { signal } = interruption
  const warn = (message: string) => terminal.progress.warn(message)
  const recording = createRecordingSwitch({ environment, redactor, warn })
  const openGithub = async () => {
    const record = await recording.open()
    const { githubPlace } = await import('../run/github-place.ts')
    const place = await githubPlace(environment, process.cwd(), redactor)
    return place && { ...place, record }
  }
  const commandParts: CommandParts = {
    terminal,
    openGithub,
    signal,
    path: environment['PATH'] ?? '',
    program: () => program,
    async openContext() {
      const record = await recording.open()
      const { createRunContext } = await import('../run/create-run-context.ts')
      return createRunContext({
        environment,
        folder: process.cwd(),
        progress: terminal.progress,
        redactor,
        signal,
        toolVersion,
        record,
        run: await terminalRun(process.pid, systemRandom, environment['USER'], {
          async isWorkflowJobOver(owner) {
            const place = await openGithub()
            if (!place) return undefined
            const { isJobOver } = await import('../github/run-status.ts')
            return isJobOver(owner, place)
          },
        }),
      })
    },
  }
  const program = programOf(
    await tableFor(argv.slice(2)),
    async (command, typed) => {
      process.exitCode = await command.run(commandParts, typed)
    },
    async (command) => {
      await recording.choose(command)
      await confirmChange(terminal, command)
    },
  )
  overrideEnds(program, terminal)
  await program.parseAsync(argv)
}

/** A mistake on the command line is reported here, whichever subcommand it is in, and by the way of all texts. */
function overrideEnds(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.print(text),
    writeErr: (text) => terminal.report(text.replace(/\n$/, '')),
  })
  for (const each of command.commands) overrideEnds(each, terminal)
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}

/** Tells an error on standard error and returns the exit code that stands for it. */
function report(thrown: unknown, terminal: Terminal): number {
  const error = originalFailure(thrown)
  // Commander has printed its own message, the help and the version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : errorCodes.usage
  if (error instanceof FindingsError) {
    for (const finding of error.findings) terminal.report(describeFinding(error.file, finding))
  }
  const { headline, details, exitCode } = describeError(thrown)
  terminal.report(`error ${headline}`)
  for (const line of details) terminal.report(`  ${line}`)
  return exitCode
}
