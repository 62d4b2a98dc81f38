/**
 * Everything that must be true of a change, in one command: `npm run check`. CI runs the same, part by part
 * (`npm run check -- peers real`). Each step runs even if a former one failed; the last line is the sum of all
 * tests and steps.
 *
 * With `--within <minutes>`, which `.ci/run` gives, everything has ended by then: a step that says so is left out, or
 * ended for time, by the pace of the steps before it (check/time-limit.ts). It is named at the end and counted as
 * skipped, never as passed: a green run with such a line has not judged all of it.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ProgramEnd, runUntil } from './check/run-until.ts'
import { parts, type Step, steps } from './check/steps.ts'
import { countResults, type ResultCount } from './check/test-results.ts'
import { timeLimit } from './check/time-limit.ts'

const root = resolve(import.meta.dirname, '..')
const results = join(root, '.cache', 'test-results')

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const sum = { passed: 0, failed: 0, skipped: 0 }
const failures: string[] = []
const notRun: string[] = []
const { values, positionals: asked } = parseArgs({
  options: { within: { type: 'string' } },
  allowPositionals: true,
})
const within = values.within === undefined ? undefined : Number(values.within)
if (within !== undefined && !(within > 0))
  throw new Error(`--within takes minutes, not ${values.within}`)
const limit = timeLimit(within, () => performance.now() / 60_000)
const unknown = asked.filter((part) => !parts.some((one) => one === part))
if (unknown.length > 0)
  failures.push(`there is no part ${unknown.join(', ')}, only ${parts.join(', ')}`)
sum.failed += unknown.length
for (const step of steps) if (asked.length === 0 || asked.includes(step.part)) await check(step)
for (const failure of failures) console.log(`FAILED: ${failure}`)
for (const step of notRun) console.log(`NOT RUN: ${step}`)
const skipped = sum.skipped === 0 ? '' : `, ${sum.skipped} skipped`
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`)
process.exitCode = sum.failed === 0 ? 0 : 1

async function check(step: Step): Promise<void> {
  const { title, unchanged = [] } = step
  console.log(`\n=== ${title}`)
  const refusal = refusalOf(step)
  if (refusal !== undefined) return leaveOut(`${title}: ${refusal}`)
  const started = performance.now()
  const before = fingerprint(unchanged)
  const { end, count } = await run(step)
  const taken = (performance.now() - started) / 60_000
  if (end === 'ended for time')
    leaveOut(
      `${title}: ended for time after ${taken.toFixed(0)} minutes; what it had judged counts`,
    )
  const problems = [
    ...(end === 'ended for time' || end.code === 0 ? [] : [`${title}: exit code ${end.code}`]),
    ...changedFiles(before, fingerprint(unchanged)).map(
      (file) => `${title}: ${file} was not up to date`,
    ),
    ...count.failures.map((failure) => `${title}: ${failure}`),
  ]
  sum.passed += count.passed
  sum.failed += Math.max(count.failed, problems.length > 0 ? 1 : 0)
  sum.skipped += count.skipped
  failures.push(...problems)
  console.log(
    `--- ${title}: ${problems.length === 0 ? 'ok' : 'FAILED'} (${(taken * 60).toFixed(0)} s)`,
  )
}

function refusalOf({ ifLate, minutes }: Step): string | undefined {
  if (ifLate === 'must run') return
  return ifLate === 'cut off' ? limit.refusalOfAPart() : limit.refusalOf(minutes)
}

function leaveOut(reason: string): void {
  notRun.push(reason)
  sum.skipped += 1
}

/** Runs a step, and counts what it judged: its tests, or itself as one. */
async function run({
  command,
  hasResults,
  ifLate,
  minutes,
}: Step): Promise<{ readonly end: ProgramEnd; readonly count: ResultCount }> {
  const file = join(results, `${steps.findIndex((step) => step.command === command)}.jsonl`)
  writeFileSync(file, '')
  const left = ifLate === 'must run' ? undefined : limit.left()
  let judged: string | undefined
  const started = performance.now()
  const end = await runUntil(command, left === undefined ? undefined : left * 60_000, {
    cwd: root,
    env: { ...process.env, TEST_RESULTS: file },
    // What fails as it is ended has not been judged.
    onLate: () => {
      judged = readFileSync(file, 'utf8')
    },
  })
  if (end !== 'ended for time') limit.record(minutes, (performance.now() - started) / 60_000)
  if (hasResults)
    return { end, count: atLeastOne(countResults(judged ?? readFileSync(file, 'utf8')), end) }
  const isPassed = end !== 'ended for time' && end.code === 0
  return { end, count: { passed: isPassed ? 1 : 0, failed: 0, skipped: 0, failures: [] } }
}

/** Tests that ended well without one that ran are a failure. */
function atLeastOne(count: ResultCount, end: ProgramEnd): ResultCount {
  if (end === 'ended for time' || count.passed + count.failed > 0) return count
  return { ...count, failed: 1, failures: ['no test has left a result'] }
}

/** Each file's digest below the given paths. */
function fingerprint(paths: readonly string[]): Map<string, string> {
  const files = paths.flatMap((path) => {
    const full = join(root, path)
    const stat = statSync(full, { throwIfNoEntry: false })
    if (!stat) return []
    if (stat.isFile()) return [path]
    return readdirSync(full, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  })
  return new Map(
    files.map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(root, file)))
        .digest('hex'),
    ]),
  )
}

function changedFiles(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file),
  )
}
