import { readFile } from 'node:fs/promises'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import { type PlayedExchange, playRecording } from '../../../sandbox/compare/play-recording.ts'
import { readRecording } from '../../../sandbox/compare/read-recording.ts'
import { startSandbox } from '../../../sandbox/start-sandbox.ts'
import { printJson } from '../../show-plan.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { openSandboxFolder } from './sandbox-folder.ts'

export interface CompareOptions {
  /** What `--record` wrote. */
  readonly recording: string
  readonly json: boolean
  /** The PATH on which git is found. */
  readonly path: string
  readonly signal: AbortSignal
}

/** Far more than any recording has: the sandbox's own limit is none of the outside's. */
const requestsPerHour = 1_000_000

/**
 * Plays a recording against a new sandbox and prints where its answers differ, a line each. Throws
 * `recording-differs` where one does, and `usage` for a file that is no recording.
 */
export async function compareRecording(
  terminal: Terminal,
  { recording, json, path, signal }: CompareOptions,
): Promise<void> {
  const exchanges = readRecording(await readText(recording), recording)
  await using base = await openSandboxFolder(undefined)
  const sandbox = await startSandbox({
    folder: base.path,
    path,
    latencies: 'none',
    requestsPerHour,
  })
  let played: PlayedExchange[]
  try {
    played = await playRecording(sandbox, exchanges, signal)
  } finally {
    await sandbox.close()
  }
  const count = played.reduce((sum, { differences }) => sum + differences.length, 0)
  if (json) printJson(terminal, { differences: count, exchanges: played.map(inJson) })
  else terminal.print(`${[...played.flatMap(describe), summary(played, count)].join('\n')}\n`)
  if (count === 0) return
  throw new ClusterError('recording-differs', `the sandbox answers otherwise: ${inWords(count)}`, {
    operation: 'compare',
    target: recording,
    hint: 'Correct the front in src/sandbox for each line above, or send the recording with a report.',
  })
}

async function readText(recording: string): Promise<string> {
  try {
    return await readFile(recording, 'utf8')
  } catch (error) {
    throw new ClusterError('usage', 'the recording cannot be read', {
      operation: 'compare',
      target: recording,
      hint: 'Name a file that --record of a command wrote.',
      cause: error,
    })
  }
}

function describe({ line, method, path, differences }: PlayedExchange): string[] {
  return differences.map(({ about, message }) =>
    visibleLine(`${line} ${method} ${path}: ${about}: ${message}`),
  )
}

function summary(played: readonly PlayedExchange[], differences: number): string {
  const skipped = played.filter((exchange) => exchange.skipped !== undefined)
  const counts = Map.groupBy(skipped, ({ skipped: why }) => why)
  const reasons = [...counts].map(([why, all]) => `${all.length}: ${why}`)
  const compared = `${played.length - skipped.length} of ${played.length} exchanges compared, ${inWords(differences)}`
  return visibleLine(
    reasons.length === 0 ? compared : `${compared}; not played: ${reasons.join(', ')}`,
  )
}

function inWords(differences: number): string {
  return `${differences} ${differences === 1 ? 'difference' : 'differences'}`
}

function inJson({ line, method, path, differences, skipped }: PlayedExchange) {
  const listed = differences.map(({ about, message }) => ({ about, says: message }))
  return { line, method, path, differences: listed, skipped: skipped ?? null }
}
