/**
 * Everything that must be true of a change, in one command: `npm run check`. CI runs the same, part by part
 * (`npm run check -- peers real`). Each step runs even if a former one failed; the last line is the sum of all
 * tests and steps.
 *
 * With `--within <minutes>`, which `.ci/run` gives, everything has ended by then: a step that says so is left out, or
 * ended for time, by the pace of the steps before it (check/time-limit.ts). It is named at the end and counted as
 * skipped, never as passed: a green run with such a line has not judged all of it.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runSteps } from './check/run-steps.ts'
import { parts, steps } from './check/steps.ts'
import { timeLimit } from './check/time-limit.ts'

const { values, positionals: asked } = parseArgs({
  options: { within: { type: 'string' } },
  allowPositionals: true,
})
const within = values.within === undefined ? undefined : Number(values.within)
if (within !== undefined && !(within > 0))
  throw new Error(`--within takes minutes, not ${values.within}`)
const unknown = asked.filter((part) => !parts.some((one) => one === part))
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join(', ')}, only ${parts.join(', ')}`)

const root = resolve(import.meta.dirname, '..')
const sum = await runSteps(
  steps.filter(({ part }) => asked.length === 0 || asked.includes(part)),
  {
    root,
    results: join(root, '.cache', 'test-results'),
    limit: timeLimit(within, () => performance.now() / 60_000),
    log: (line) => console.log(line),
  },
)
for (const failure of sum.failures) console.log(`FAILED: ${failure}`)
for (const step of sum.notRun) console.log(`NOT RUN: ${step}`)
const skipped = sum.skipped === 0 ? '' : `, ${sum.skipped} skipped`
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`)
process.exitCode = sum.failed === 0 ? 0 : 1
