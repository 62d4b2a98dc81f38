import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What a process may still take after its last word, in milliseconds. */
export const tailLimitMs = 1_000
/** What is silent for as long is taken for one that never ends, and killed; so it has no exit code. */
const silenceMs = 120_000

const reporter = pathToFileURL(resolve(import.meta.dirname, 'report-forced-end.ts')).href

/** The variables by which a process reports into this file that it did not end by itself. */
export function reportForcedEnds(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${reporter}`, FORCED_ENDS: file }
}

/** The processes that did not end by themselves, each with what was still open in it. */
export async function readForcedEnds(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean)
}

/** How often a process is asked how long it has waited, in milliseconds. */
const askEveryMs = 50

/**
 * Kills a process that says nothing for long. Returns how long it lived on after its last word, without the time in which
 * it waited for a processor that others had; asked once it has ended. What says nothing at all ends when it has done its
 * work.
 */
export function watchEnd(child: ChildProcess): () => number {
  let [last, end] = [Number.POSITIVE_INFINITY, 0]
  let [waited, waitedBefore] = [0, 0]
  let silence: NodeJS.Timeout | undefined
  const ask = () => {
    waited = Math.max(waited, waitedMs(child.pid))
  }
  const asking = setInterval(ask, askEveryMs)
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', () => {
      last = performance.now()
      ask()
      waitedBefore = waited
      clearTimeout(silence)
      silence = setTimeout(() => child.kill('SIGKILL'), silenceMs)
    })
  }
  child.once('exit', () => {
    end = performance.now()
    clearTimeout(silence)
    clearInterval(asking)
  })
  return () => Math.max(0, end - last - (waited - waitedBefore))
}

/** For how long a process was ready to run, and did not; 0 where the system does not say. */
function waitedMs(pid: number | undefined): number {
  try {
    const [, nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return 0
  }
}
