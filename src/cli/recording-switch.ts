import { type Command, Option } from 'commander'
import { systemCalendar } from '../lib/clock.ts'
import type { RecordExchange } from '../lib/http-exchange.ts'
import type { Redactor } from '../lib/redactor.ts'
import { openExchangeRecorder, recordVariable } from '../run/exchange-recorder.ts'

/** Of every command that asks Hetzner or GitHub. */
export function recordOption(): Option {
  return new Option(
    '--record <file>',
    'append what Hetzner and GitHub are asked and answer to this file, without secrets',
  )
}

/** Whether this process writes its exchanges with Hetzner and GitHub into a file, and which. */
export interface RecordingSwitch {
  /** Reads `--record` of the subcommand that is about to run; a file that cannot be used fails here. */
  choose(command: Command): void
  /** Opens the file where one is named; undefined where none is. */
  open(): RecordExchange | undefined
}

export function createRecordingSwitch(parts: {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly redactor: Redactor
  readonly warn: (message: string) => void
}): RecordingSwitch {
  const { environment, redactor, warn } = parts
  let file = environment[recordVariable] || undefined
  let record: RecordExchange | undefined
  const open = () => {
    if (file === undefined) return undefined
    record ??= openExchangeRecorder(file, { redactor, calendar: systemCalendar, onFailure: warn })
    return record
  }
  return {
    choose(command) {
      const typed: unknown = command.opts()['record']
      if (typeof typed !== 'string') return
      file = typed
      open()
    },
    open,
  }
}
