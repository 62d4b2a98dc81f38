import {
  appendFileSync,
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { fileFailure } from '../lib/file-failure.ts'
import type { RecordExchange } from '../lib/http-exchange.ts'
import type { Redactor } from '../lib/redactor.ts'
import { cleanExchange, type RecordedExchange } from './clean-exchange.ts'

/** Names the file of a recording where no option can. */
export const recordVariable = 'HCLOUD_TALOS_RECORD'

export interface RecorderParts {
  readonly redactor: Redactor
  /** The wall's time. */
  readonly calendar: Clock
  /** Gets, once, why nothing more is written. */
  readonly onFailure: (message: string) => void
}

/**
 * Opens a recording: a file of JSON lines that its owner alone may read, one exchange each, after those that it holds
 * already. Throws `usage` for a file that holds something else, and `disk-full` or `file-unwritable`. A failure to
 * write later on ends the recording and not the run, which may be in the middle of something.
 */
export function openExchangeRecorder(
  path: string,
  { redactor, calendar, onFailure }: RecorderParts,
): RecordExchange {
  const file = resolve(path)
  prepareFile(file, path)
  let hasFailed = false
  return (exchange) => {
    if (hasFailed) return
    try {
      const at = new Date(calendar.now()).toISOString()
      const recorded = cleanExchange(exchange, at, (text) => redactor.redact(text))
      appendFileSync(file, formatLine(recorded), { mode: 0o600 })
    } catch (error) {
      hasFailed = true
      onFailure(`the recording in ${path} ends here: ${fileFailure(error, path).message}`)
    }
  }
}

/** `front` comes first: the beginning of a file says whether it is a recording. */
function formatLine({ front, ...rest }: RecordedExchange): string {
  return `${JSON.stringify({ front, ...rest })}\n`
}

const beginning = '{"front":"'

function prepareFile(file: string, path: string): void {
  let isOther = false
  try {
    mkdirSync(dirname(file), { recursive: true })
    const descriptor = openSync(file, 'a+', 0o600)
    try {
      const stat = fstatSync(descriptor)
      if (!stat.isFile()) return
      isOther = stat.size > 0 && readBeginning(descriptor) !== beginning
      if (!isOther) fchmodSync(descriptor, 0o600)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw fileFailure(error, path, { operation: 'record' })
  }
  if (!isOther) return
  throw new ClusterError('usage', 'the file is there and holds no recording', {
    operation: 'record',
    target: path,
    hint: 'Name a new file, or one that an earlier --record wrote.',
  })
}

function readBeginning(descriptor: number): string {
  const bytes = Buffer.alloc(beginning.length)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0)).toString()
}
