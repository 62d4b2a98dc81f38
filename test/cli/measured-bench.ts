import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import type { CommandBench, Ended, Invocation } from './command-bench.ts'

/** What a process may still take after its last word, in milliseconds. */
const tailLimitMs = 1_000
/** What is silent for as long is taken for one that never ends, and killed; so it has no exit code. */
const silenceMs = 120_000

/** Commands of a bench, whose ends are measured. */
export interface MeasuredBench {
  /**
   * Runs a command, and holds that it ends within a second of its last word. A machine with other work may stop any
   * process for as long, so one that is late is run again, for its end alone: who is late three times is late.
   */
  run(args: readonly string[], env?: Invocation['env']): Promise<Ended>
  /** Commands that did not end by themselves, each with what was still open in it. */
  forcedEnds(): Promise<string[]>
}

const reporter = pathToFileURL(resolve(import.meta.dirname, 'report-forced-end.ts')).href

export function measuredBench(bench: CommandBench): MeasuredBench {
  const forced = join(bench.folder, '..', 'forced-ends')

  async function runOnce(args: readonly string[], env: Invocation['env']) {
    let tail = () => 0
    const ended = await bench.run(args, {
      env: { NODE_OPTIONS: `--import=${reporter}`, FORCED_ENDS: forced, ...env },
      onStart(child) {
        tail = watchLastWord(child)
        killIfSilent(child)
      },
    })
    // What says nothing at all ends when it has done its work.
    const isSilent = ended.stdout === '' && ended.stderr === ''
    return { ended, tailMs: isSilent ? 0 : tail() }
  }

  return {
    async run(args, env) {
      const { ended, tailMs } = await runOnce(args, env)
      let least = tailMs
      for (let again = 0; again < 2 && least >= tailLimitMs; again++) {
        least = Math.min(least, (await runOnce(args, env)).tailMs)
      }
      expect(least, `${args.join(' ')} lives on after its last word`).toBeLessThan(tailLimitMs)
      return ended
    },
    async forcedEnds() {
      const text = await readFile(forced, 'utf8').catch(() => '')
      return text.split('\n').filter(Boolean)
    },
  }
}

/** How long a process lived on after its last word; asked once it has ended. */
function watchLastWord(child: ChildProcess): () => number {
  const started = performance.now()
  let [last, end] = [started, started]
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', () => {
      last = performance.now()
    })
  }
  child.once('exit', () => {
    end = performance.now()
  })
  return () => end - last
}

function killIfSilent(child: ChildProcess): void {
  let timer: NodeJS.Timeout | undefined
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', () => {
      clearTimeout(timer)
      timer = setTimeout(() => child.kill('SIGKILL'), silenceMs)
    })
  }
  child.once('exit', () => clearTimeout(timer))
}
