import type { Writable } from 'node:stream'
import { fileFailure } from '../../lib/file-failure.ts'

/**
 * Notices when a result could not be written to standard output, a full disk behind it for instance.
 * Call what it returns in the end: it throws `disk-full` or `file-unwritable` then. A reader that went
 * away (`| head`) has read what it wanted, and is no failure.
 */
export function watchOutput(output: Writable): () => Promise<void> {
  let failure: Error | undefined
  output.on('error', (error) => {
    failure ??= error
  })
  return async () => {
    // What was written last fails in a later turn.
    await new Promise((done) => setImmediate(done))
    if (!failure || ('code' in failure && failure.code === 'EPIPE')) return
    throw fileFailure(failure, 'standard output')
  }
}
