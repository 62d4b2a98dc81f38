import { styleText } from 'node:util'
import type { PhaseProgress, Progress } from '../../lib/progress.ts'
import { formatSeconds } from './format-seconds.ts'

export interface LiveProgressOptions {
  /** The terminal; `columns` is read at each drawing, since windows are resized. */
  readonly terminal: { write(text: string): unknown; readonly columns?: number | undefined }
  readonly now: () => number
  readonly colour: boolean
  /** Calls back now and then, so that the time runs on while nothing happens; returns what ends that. */
  readonly tick?: (redraw: () => void) => () => void
}

interface Running {
  readonly title: string
  readonly started: number
  step: string
  fraction: number | undefined
}

const barWidth = 20
const up = (lines: number) => (lines === 0 ? '' : `\u001b[${lines}A`)
const clearBelow = '\u001b[J'

/**
 * Progress at a terminal: what is done stays above as a line each, what runs stands below with a bar
 * and its current step, drawn again whenever something happens.
 */
export function createLiveProgress(options: LiveProgressOptions): Progress {
  const { terminal, now, colour, tick = () => () => undefined } = options
  const running = new Set<Running>()
  let drawn = 0
  let still: (() => void) | undefined
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text

  function draw(permanent = ''): void {
    const width = Math.max(20, (terminal.columns || 80) - 1)
    const lines = [...running].map((phase) => cut(describe(phase), width))
    const text = [...(permanent === '' ? [] : [permanent]), ...lines]
      .map((line) => `${line}\n`)
      .join('')
    terminal.write(`${up(drawn)}\r${clearBelow}${text}`)
    drawn = lines.length
    keepTicking()
  }

  /** As long as something runs, and not when a person is asked. */
  function keepTicking(): void {
    if (running.size > 0) still ??= tick(() => draw())
    else {
      still?.()
      still = undefined
    }
  }

  function describe({ title, started, step, fraction }: Running): string {
    const bar = fraction === undefined ? '' : ` ${drawBar(fraction)}`
    return `▸ ${title}${bar} ${formatSeconds(now() - started)}${step === '' ? '' : ` · ${step}`}`
  }

  function phase(title: string): PhaseProgress {
    const self: Running = { title, started: now(), step: '', fraction: undefined }
    running.add(self)
    draw()
    const end = (sign: string, message: string) => {
      running.delete(self)
      draw(`${sign} ${title} ${paint('dim', formatSeconds(now() - self.started))}${message}`)
    }
    return {
      step(message) {
        self.step = message
        draw()
      },
      fraction(done) {
        self.fraction = Math.min(1, Math.max(0, done))
        draw()
      },
      succeed: (message) => end(paint('green', '✓'), message === undefined ? '' : ` · ${message}`),
      fail: (message) => end(paint('red', '✗'), ` · ${message}`),
      skip(reason) {
        running.delete(self)
        draw(`${paint('dim', '-')} ${title} ${paint('dim', reason)}`)
      },
    }
  }

  return {
    phase,
    info: (message) => draw(message),
    warn: (message) => draw(`${paint('yellow', '!')} ${message}`),
  }
}

function drawBar(fraction: number): string {
  const full = Math.round(fraction * barWidth)
  return `[${'█'.repeat(full)}${'·'.repeat(barWidth - full)}] ${Math.round(fraction * 100)} %`
}

/** One line of the screen: a second one would not be counted when it is drawn again. */
function cut(text: string, width: number): string {
  const line = text.replace(/\s*\n\s*/g, ' ')
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`
}
