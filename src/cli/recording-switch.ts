import type { Command } from 'commander'
import { systemCalendar } from '../lib/clock.ts'
import type { RecordExchange } from '../lib/http-exchange.ts'
import type { Redactor } from '../lib/redactor.ts'
import { text } from './setting.ts'

/** Of every command that asks Hetzner or GitHub. */
export const recordSetting = () =>
  text(
    '--record <file>',
    'append what Hetzner and GitHub are asked and answer to this file, without secrets',
  )

/** Whether this process writes its exchanges with Hetzner and GitHub into a file, and which. */
export interface RecordingSwitch {
  /** Reads `--record` of the subcommand that is about to run; a file that cannot be used fails here. */
  choose(command: Command): Promise<void>
  /** Opens the file where one is named; undefined where none is. */
  open(): Promise<RecordExchange | undefined>
}

export function createRecordingSwitch(parts: {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly redactor: Redactor
  readonly warn: (message: string) => void
}): RecordingSwitch {
  const { environment, redactor, warn } = parts
  let typed: string | undefined
  let record: Promise<RecordExchange | undefined> | undefined
  const openOnce = async () => {
    const { openExchangeRecorder, recordVariable } = await import('../run/exchange-recorder.ts')
    const file = typed ?? (environment[recordVariable] || undefined)
    return file === undefined
      ? undefined
      : openExchangeRecorder(file, { redactor, calendar: systemCalendar, onFailure: warn })
  }
  const open = () => {
    record ??= openOnce()
    return record
  }
  return {
    async choose(command) {
      const given: unknown = command.opts()['record']
      if (typeof given !== 'string') return
      typed = given
      await open()
    },
    open,
  }
}
