import type { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Redactor } from '../lib/redactor.ts'
import { harmlessText } from './harmless-text.ts'

/** The log of a step, which its runner reads along for commands. */
export interface RunnerLog {
  /**
   * Lets `write` write one workflow command, at once and on lines of its own. Nothing else that this process
   * writes can be one.
   */
  command(write: () => void): void
  /** Writes what was held back because its line had not ended. */
  flush(): void
}

/** A longer line is cut: whoever can make us print something cannot make us print everything. */
const longestLine = 32_768

/** A text with its end cut where it is too long for a log or an annotation. */
export function cutLine(text: string): string {
  const cut = text.length - longestLine
  return cut > 0 ? `${text.slice(0, longestLine)}… (${cut} more characters)` : text
}

/**
 * Takes hold of streams that a runner reads. From here on whatever is written to them, by us, a library or Node, is
 * written in whole lines, redacted, and without anything that a runner would obey.
 */
export function guardRunnerLog(streams: readonly Writable[], redactor: Redactor): RunnerLog {
  const guarded = streams.map((stream) => guardStream(stream, redactor))
  return {
    command(write) {
      for (const each of guarded) each.flush()
      for (const each of guarded) each.open(true)
      try {
        write()
      } finally {
        for (const each of guarded) each.open(false)
      }
    },
    flush() {
      for (const each of guarded) each.flush()
    },
  }
}

interface GuardedStream {
  /** Whether what is written passes as it is. */
  open(isOpen: boolean): void
  flush(): void
}

function guardStream(stream: Writable, redactor: Redactor): GuardedStream {
  const writeRaw = stream.write.bind(stream)
  const decoder = new StringDecoder('utf8')
  let isOpen = false
  let held = ''
  const show = (line: string) => {
    return writeRaw(`${harmlessText(cutLine(redactor.redact(line)))}\n`)
  }
  type Done = (error?: Error | null) => void
  stream.write = (chunk: unknown, encoding?: BufferEncoding | Done, done?: Done): boolean => {
    const text = decoded(chunk, typeof encoding === 'string' ? encoding : 'utf8', decoder)
    const isWritten = isOpen ? writeRaw(text) : writeLines(text)
    const callback = typeof encoding === 'function' ? encoding : done
    if (callback) process.nextTick(callback)
    return isWritten
  }
  function writeLines(text: string): boolean {
    const lines = `${held}${text}`.split('\n')
    held = lines.pop() ?? ''
    let isWritten = true
    for (const line of lines) isWritten = show(line)
    if (held.length > longestLine) flush()
    return isWritten
  }
  function flush(): void {
    const rest = held
    held = ''
    if (rest !== '') show(rest)
  }
  return {
    flush,
    open(next) {
      isOpen = next
    },
  }
}

function decoded(chunk: unknown, encoding: BufferEncoding, decoder: StringDecoder): string {
  if (chunk instanceof Uint8Array) return decoder.write(Buffer.from(chunk))
  return decoder.write(Buffer.from(String(chunk), encoding))
}
