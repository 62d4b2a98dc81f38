import type { Runner } from '../github/runner.ts'
import type { Progress } from '../lib/progress.ts'

/** Progress in a runner's log: a line for each phase that begins and ends, and its steps below it. */
export function createRunnerProgress(runner: Pick<Runner, 'info' | 'warn'>): Progress {
  return {
    phase(title) {
      runner.info(`▸ ${title}`)
      let last = ''
      return {
        step(message) {
          if (message !== last) runner.info(`    ${message}`)
          last = message
        },
        fraction() {},
        succeed: (message) =>
          runner.info(`✓ ${title}${message === undefined ? '' : `: ${message}`}`),
        fail: (message) => runner.info(`✗ ${title}: ${message}`),
        skip: (reason) => runner.info(`- ${title}: ${reason}`),
      }
    },
    info: (message) => runner.info(message),
    warn: (message) => runner.warn(message),
  }
}
