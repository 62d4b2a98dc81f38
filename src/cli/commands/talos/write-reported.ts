import { formatBytes } from '../../../lib/format-bytes.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { writePrivateStream } from '../../terminal/write-private-stream.ts'

/** Writes bytes as they come into a file that only its owner reads, and reports how many there were. */
export async function writeReported(
  terminal: Terminal,
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  source = '',
): Promise<void> {
  terminal.report(`wrote ${path}, ${formatBytes(await writePrivateStream(path, pieces))}${source}`)
}
