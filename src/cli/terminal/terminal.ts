import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import type { Writable } from 'node:stream'
import { harmlessText } from '../../github/harmless-text.ts'
import type { Progress } from '../../lib/progress.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { visibleLine, visibleText } from '../../lib/visible-text.ts'
import { createLiveProgress } from './live-progress.ts'
import { createPlainProgress } from './plain-progress.ts'
import { visibleProgress } from './visible-progress.ts'

/** Where a command writes: results on standard output, everything else on standard error. */
export interface Terminal {
  readonly progress: Progress
  /** Whether there is a person to ask; if so, `ask` works or ends the run. */
  readonly questions: 'person' | 'nobody'
  /** A part of a result in a colour of ANSI, where results may be coloured. The only way to one. */
  paint(code: number, text: string): string
  /** A result, on standard output; redacted like everything, and shown rather than obeyed. */
  print(text: string): void
  /**
   * Whole lines of a file that was asked for: byte by byte into a file or a pipe, and shown like the rest on a screen or
   * where a runner may read the pipe.
   */
  printBytes(piece: Uint8Array): void
  /** A line about the run, on standard error. */
  report(text: string): void
  /** Asks a question and returns the answer; empty when it is not answered. Throws the signal's reason. */
  ask(question: string): Promise<string>
}

interface InputStream extends NodeJS.ReadableStream {
  readonly isTTY?: boolean
}

interface OutputStream extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface TerminalParts {
  readonly input: InputStream
  readonly output: OutputStream
  readonly error: OutputStream
  /** Whether `output` is a file on a disk: nobody reads along then. */
  readonly outputIsFile?: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly redactor: Redactor
  /** Ends the waiting for an answer. */
  readonly signal: AbortSignal
  /** Ctrl-C at a question, which the terminal hands over as a key. */
  readonly onInterrupt: () => void
}

/** Progress is drawn live where standard error is a terminal that can, and written as lines elsewhere. */
export function createTerminal(parts: TerminalParts): Terminal {
  const { input, output, error, environment, redactor, outputIsFile = false } = parts
  const dumb = environment['TERM'] === 'dumb'
  const plain = Boolean(environment['NO_COLOR']) || dumb
  const show = createShow(parts)
  const write = (text: string) => void error.write(show(text))
  const now = () => Date.now()
  const live = error.isTTY === true && !dumb && !environment['CI']
  const colour = output.isTTY === true && !plain
  return {
    progress: visibleProgress(
      live
        ? createLiveProgress({ terminal: redacting(error, redactor), now, colour: !plain, tick })
        : createPlainProgress({ write, now }),
      // Before a line is cut to the window: of a secret that is cut the rest would be shown.
      (text) => visibleLine(redactor.redact(text)),
    ),
    questions: input.isTTY === true ? 'person' : 'nobody',
    paint: (code, text) => (colour ? `${show.mark}${code};${text}${show.mark}0;` : text),
    print: (text) => void output.write(show(text)),
    printBytes(piece) {
      const isShown = output.isTTY === true || (isReadByRunner(parts) && !outputIsFile)
      if (isShown) output.write(show(Buffer.from(piece).toString('utf8')))
      else output.write(redactor.redactBytes(piece))
    },
    report: (text) => write(`${text}\n`),
    ask: (question) => ask(parts, show(question)),
  }
}

/**
 * The one way out for texts: without secrets, and without anything that a terminal or, in a step of a workflow, a
 * runner would obey. Colours of ours are marked with what nobody else can know, and become colours here.
 */
function createShow({ redactor, environment }: TerminalParts) {
  const mark = `<${randomUUID()}>`
  const marks = new RegExp(`${mark}(\\d+);`, 'g')
  const isRead = isReadByRunner({ environment })
  const show = (text: string) => {
    const clean = redactor.redact(text)
    const shown = isRead ? harmlessText(clean, 'escape') : visibleText(clean)
    return shown.replace(marks, '\u001b[$1m')
  }
  return Object.assign(show, { mark })
}

/** What a step of a workflow prints, its runner reads for commands. */
function isReadByRunner({ environment }: Pick<TerminalParts, 'environment'>): boolean {
  return environment['GITHUB_ACTIONS'] === 'true'
}

/** On whichever stream the person sees; where there is no person or they see none, there is no answer. */
async function ask(parts: TerminalParts, question: string): Promise<string> {
  const { input, output, error, signal, onInterrupt } = parts
  const shown = [error, output].find(({ isTTY }) => isTTY === true)
  if (!shown || input.isTTY !== true) return ''
  signal.throwIfAborted()
  const lines = createInterface({ input, output: shown })
  lines.on('SIGINT', onInterrupt)
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = lines.question(question, { signal })
    return (await Promise.race([answer, closed])).trim()
  } catch (reason) {
    signal.throwIfAborted()
    throw reason
  } finally {
    lines.close()
  }
}

/** Redraws once a second, without keeping the process alive. */
function tick(redraw: () => void): () => void {
  const timer = setInterval(redraw, 1_000)
  timer.unref()
  return () => clearInterval(timer)
}

function redacting(stream: OutputStream, redactor: Redactor) {
  return {
    write: (text: string) => stream.write(redactor.redact(text)),
    get columns() {
      return stream.columns
    },
  }
}
