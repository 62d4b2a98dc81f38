import { join } from 'node:path'
import { expect } from 'vitest'
import { readForcedEnds, reportForcedEnds, tailLimitMs, watchEnd } from '../process-end.ts'
import type { CommandBench, Ended, Invocation } from './command-bench.ts'

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

export function measuredBench(bench: CommandBench): MeasuredBench {
  const forced = join(bench.folder, '..', 'forced-ends')

  async function runOnce(args: readonly string[], env: Invocation['env']) {
    let tail = () => 0
    const ended = await bench.run(args, {
      env: { ...reportForcedEnds(forced), ...env },
      onStart(child) {
        tail = watchEnd(child)
      },
    })
    return { ended, tailMs: tail() }
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
    forcedEnds: () => readForcedEnds(forced),
  }
}
