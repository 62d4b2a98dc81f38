import { ClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject, type Json } from '../../lib/json.ts'

/** One exchange of a recording, as `--record` wrote it. */
export interface RecordedExchange {
  /** Where it stands in the file, from 1. */
  readonly line: number
  readonly front: 'hetzner' | 'github'
  readonly method: string
  /** Below the API's address, with its query. */
  readonly path: string
  readonly request: Json | undefined
  readonly status: number
  readonly response: Json | undefined
}

/** Reads a recording. Throws `usage` for the first line that is no exchange. */
export function readRecording(text: string, name: string): RecordedExchange[] {
  const lines = text.split('\n').map((content, index) => ({ content, line: index + 1 }))
  const filled = lines.filter(({ content }) => content.trim() !== '')
  if (filled.length === 0) throw notRecording(name, 'it is empty')
  return filled.map(({ content, line }) => {
    const exchange = readExchange(content, line)
    if (exchange === undefined) throw notRecording(name, `line ${line} is no exchange`)
    return exchange
  })
}

function readExchange(content: string, line: number): RecordedExchange | undefined {
  const value = parse(content)
  if (!isJsonObject(value)) return undefined
  const { front, method, path, status, request, response } = value
  if (front !== 'hetzner' && front !== 'github') return undefined
  if (typeof method !== 'string' || typeof status !== 'number') return undefined
  if (typeof path !== 'string' || !path.startsWith('/')) return undefined
  return { line, front, method, path, request, status, response }
}

function parse(content: string): Json | undefined {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

function notRecording(name: string, why: string): ClusterError {
  return new ClusterError('usage', `this is no recording: ${why}`, {
    operation: 'compare',
    target: name,
    hint: 'Name a file that --record of a command wrote.',
  })
}
