import type { ChildProcess } from 'node:child_process'
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

/**
 * Kills a process that says nothing for long. Returns how long it lived on after its last word; asked once it has ended.
 * What says nothing at all ends when it has done its work.
 */
export function watchEnd(child: ChildProcess): () => number {
  let [last, end] = [Number.POSITIVE_INFINITY, 0]
  let timer: NodeJS.Timeout | undefined
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', () => {
      last = performance.now()
      clearTimeout(timer)
      timer = setTimeout(() => child.kill('SIGKILL'), silenceMs)
    })
  }
  child.once('exit', () => {
    end = performance.now()
    clearTimeout(timer)
  })
  return () => Math.max(0, end - last)
}
