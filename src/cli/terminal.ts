import { createInterface } from 'node:readline/promises'
import type { Progress } from '../lib/progress.ts'
import type { Redactor } from '../lib/redactor.ts'
import { createLiveProgress } from './live-progress.ts'
import { createPlainProgress } from './plain-progress.ts'

/** Where a command speaks: results on standard output, everything else on standard error. */
export interface Terminal {
  readonly progress: Progress
  /** Whether a person can be asked. */
  readonly interactive: boolean
  /** Whether results may be coloured. */
  readonly colour: boolean
  /** A result; redacted like everything. */
  print(text: string): void
  /** A result that must stay as it is, such as JSON of public things; redacted all the same. */
  tell(text: string): void
  /** Asks a question on standard error and returns the answer; empty when nobody answers. */
  ask(question: string): Promise<string>
}

export interface TerminalStreams {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly error: NodeJS.WriteStream
}

type Environment = Readonly<Record<string, string | undefined>>

/** Progress is drawn live where standard error is a terminal that can, and written as lines elsewhere. */
export function createTerminal(
  { input, output, error }: TerminalStreams,
  environment: Environment,
  redactor: Redactor,
): Terminal {
  const plain = Boolean(environment['NO_COLOR']) || environment['TERM'] === 'dumb'
  const write = (text: string) => void error.write(redactor.redact(text))
  const now = () => Date.now()
  const live = error.isTTY === true && environment['TERM'] !== 'dumb' && !environment['CI']
  return {
    progress: live
      ? createLiveProgress({ terminal: redacting(error, redactor), now, colour: !plain })
      : createPlainProgress({ write, now }),
    interactive: input.isTTY === true && error.isTTY === true,
    colour: output.isTTY === true && !plain,
    print: (text) => void output.write(redactor.redact(text)),
    tell: (text) => write(`${text}\n`),
    async ask(question) {
      const lines = createInterface({ input, output: error })
      try {
        return (await lines.question(question)).trim()
      } finally {
        lines.close()
      }
    },
  }
}

function redacting(stream: NodeJS.WriteStream, redactor: Redactor) {
  return {
    write: (text: string) => stream.write(redactor.redact(text)),
    get columns() {
      return stream.columns
    },
  }
}
