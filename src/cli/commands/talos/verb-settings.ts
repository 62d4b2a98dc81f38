import { InvalidArgumentError, Option } from 'commander'
import { clusterFileSetting } from '../../cluster-settings.ts'
import { recordSetting } from '../../recording-switch.ts'
import { choiceOr, flag, parsed, type Setting, type Settings, text } from '../../setting.ts'

/** How results are printed. */
export type OutputFormat = 'table' | 'json' | 'yaml'

export type Printing = 'report' | 'stream' | 'bytes'

/** What every verb gets. */
export interface VerbSettings {
  readonly config: string
  readonly nodes: readonly string[]
  readonly endpoints: readonly string[]
  readonly talosconfig: string | undefined
  readonly context: string | undefined
  /** Absent from verbs that bring bytes. */
  readonly output?: OutputFormat
  /** Of those that ask. */
  readonly yes?: boolean
}

/** Of every verb. Created for each of them: an option belongs to one command. */
export function verbSettings(prints: Printing): Settings {
  const each = prints === 'stream' ? ', item by item' : ''
  const output = choiceOr(
    '-o, --output <format>',
    `how it is printed${each}`,
    ['table', 'json', 'yaml'],
    'table',
  )
  return {
    config: clusterFileSetting(),
    nodes: listOf('-n, --nodes <nodes>', 'names or addresses, by commas'),
    endpoints: listOf('-e, --endpoints <addresses>', 'go through these'),
    talosconfig: text('--talosconfig <file>', 'use this, and neither state nor Hetzner'),
    context: text('--context <name>', 'a context of it'),
    ...(prints === 'bytes' ? {} : { output }),
    record: recordSetting(),
  }
}

/** Of several verbs. */
export const followSetting = () => flag('-f, --follow', 'go on as more is written')
export const kubernetesSetting = (description = 'those of Kubernetes') =>
  flag('-k, --kubernetes', description)
export const storeSetting = () =>
  choiceOr('--store <store>', 'of pods, or of what Talos runs itself', ['pods', 'services'], 'pods')
export const gateSetting = () =>
  flag('--no-gate', 'as it is: no drain, and no look at etcd before or after')
export const waitSetting = () =>
  flag('--no-wait', 'do not wait until it is back; only with --no-gate')
export const durationSetting = () =>
  wholeNumber('--duration <seconds>', 'end after that; Ctrl-C ends it otherwise')

/** An option with a whole number. */
export function wholeNumber(flags: string, description: string): Setting<number | undefined> {
  return parsed(flags, description, readNumber)
}

/** The same with one where none is given. */
export function wholeNumberOr(flags: string, description: string, value: number): Setting<number> {
  const part = new Option(flags, description).argParser(readNumber).default(value)
  return { part, absent: value }
}

function listOf(flags: string, description: string): Setting<readonly string[]> {
  return { part: new Option(flags, description).argParser(readList).default([]), absent: [] }
}

function readList(typed: string, former: readonly string[]): string[] {
  return [...former, ...typed.split(',').filter(Boolean)]
}

function readNumber(typed: string): number {
  const value = typed.trim() === '' ? Number.NaN : Number(typed)
  if (Number.isSafeInteger(value)) return value
  throw new InvalidArgumentError('It must be a whole number.')
}
