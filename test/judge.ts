import { afterAll, afterEach, expect } from 'vitest'
import { type Judge, watchJudges } from '../src/sandbox/judge/judge.ts'

/**
 * A test whose world breaks an invariant fails, whatever it asserts: see docs/testing.md. One that breaks
 * an invariant deliberately says so by `world.judge.expect`.
 */
const judges = new Set<Judge>()
const endWatch = watchJudges((judge) => judges.add(judge))

function judge(): void {
  expect([...judges].flatMap((one) => one.verdict())).toEqual([])
}

afterEach(judge)
afterAll(() => {
  // Files share a process, and each looks after its own worlds.
  endWatch()
  for (const one of judges) one.close()
  judge()
})
