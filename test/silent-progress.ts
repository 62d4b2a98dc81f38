import type { Progress } from '../src/lib/progress.ts'

/** Shows nothing to anybody. */
export const silentProgress: Progress = {
  phase: () => ({ step() {}, fraction() {}, succeed() {}, fail() {}, skip() {} }),
  info() {},
  warn() {},
}
