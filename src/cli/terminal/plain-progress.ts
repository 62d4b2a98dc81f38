import type { PhaseProgress, Progress } from '../../lib/progress.ts'
import { formatSeconds } from './format-seconds.ts'

export interface PlainProgressOptions {
  readonly write: (text: string) => void
  readonly now: () => number
}

/** Progress as lines that are written once and stay: for logs, pipes and runners. */
export function createPlainProgress({ write, now }: PlainProgressOptions): Progress {
  const line = (text: string) => write(`${text}\n`)
  return {
    phase(title) {
      line(`▸ ${title}`)
      return createPhase(title, line, now)
    },
    info: line,
    warn: (message) => line(`! ${message}`),
  }
}

function createPhase(
  title: string,
  line: (text: string) => void,
  now: () => number,
): PhaseProgress {
  const started = now()
  let last = ''
  const end = (sign: string, message: string) =>
    line(
      `${sign} ${title} (${formatSeconds(now() - started)})${message === '' ? '' : `: ${message}`}`,
    )
  return {
    step(message) {
      if (message === last) return
      last = message
      line(`    ${message}`)
    },
    fraction() {},
    succeed: (message = '') => end('✓', message),
    fail: (message) => end('✗', message),
    skip: (reason) => line(`- ${title}: ${reason}`),
  }
}
