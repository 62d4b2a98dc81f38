import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { RigError } from '../rig-error.ts'
import type { Workshop } from './workshop.ts'

/** How often to say that another run holds the lock, in milliseconds. */
const reportEveryMs = 30_000

/**
 * Holds the cache for one preparation, waiting as long as another one takes. The kernel keeps the
 * lock, and gives it free when this process ends, however it ends: the holder is a child that lives
 * as long as its input is open.
 */
export async function lockCache(workshop: Workshop): Promise<AsyncDisposable> {
  const { cache, path, report, signal } = workshop
  const child = spawn('flock', ['--exclusive', join(cache, 'lock'), 'sh', '-c', 'echo; exec cat'], {
    env: { PATH: path },
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const waiting = setInterval(
    () => report('waiting for another run that prepares the same folder'),
    reportEveryMs,
  )
  try {
    const held = once(child.stdout, 'data')
    const failed = new Promise<never>((_, reject) => {
      child.once('error', reject)
      child.once('close', (code) => reject(new Error(`flock ended with ${code}`)))
    })
    await Promise.race([held, failed])
  } catch (error) {
    signal.throwIfAborted()
    throw new RigError(`the folder ${cache} cannot be locked`, 'Check who may write it.', error)
  } finally {
    clearInterval(waiting)
  }
  return {
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await ended
    },
  }
}
