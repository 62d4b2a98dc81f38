import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedFiles, fingerprint } from './fingerprint.ts'
import { type ProgramEnd, runUntil } from './run-until.ts'
import type { Step } from './steps.ts'
import { countResults, type ResultCount } from './test-results.ts'
import type { TimeLimit } from './time-limit.ts'

export interface CheckPlace {
  /** Where steps run, and what the paths of `unchanged` start from. */
  readonly root: string
  /** A folder for what tests leave of their results; emptied first. */
  readonly results: string
  readonly limit: TimeLimit
  readonly log: (line: string) => void
}

/** The sum of a check: tests, and steps that are no tests. */
export interface CheckSum extends ResultCount {
  /** Steps that did not run, or not to their end, each with the reason. They count as skipped. */
  readonly notRun: readonly string[]
}

/** Runs each step, even if a former one failed, as far as the time goes. */
export async function runSteps(steps: readonly Step[], place: CheckPlace): Promise<CheckSum> {
  rmSync(place.results, { recursive: true, force: true })
  mkdirSync(place.results, { recursive: true })
  const sums: CheckSum[] = []
  for (const [index, step] of steps.entries()) {
    place.log(`\n=== ${step.title}`)
    sums.push(await check(step, join(place.results, `${index}.jsonl`), place))
  }
  return add(sums)
}

async function check(step: Step, results: string, place: CheckPlace): Promise<CheckSum> {
  const { title, unchanged = [] } = step
  const refusal = refusalOf(step, place.limit)
  if (refusal !== undefined) return { ...nothing, skipped: 1, notRun: [`${title}: ${refusal}`] }
  const started = performance.now()
  const before = fingerprint(place.root, unchanged)
  const { end, count } = await run(step, results, place)
  const seconds = (performance.now() - started) / 1_000
  const problems = [
    ...(end === 'ended for time' || end.code === 0 ? [] : [`exit code ${end.code}`]),
    ...changedFiles(before, fingerprint(place.root, unchanged)).map(
      (file) => `${file} was not up to date`,
    ),
    ...count.failures,
  ].map((problem) => `${title}: ${problem}`)
  place.log(`--- ${title}: ${problems.length === 0 ? 'ok' : 'FAILED'} (${seconds.toFixed(0)} s)`)
  const late = `${title}: ended for time after ${(seconds / 60).toFixed(0)} minutes; what it had judged counts`
  const notRun = end === 'ended for time' ? [late] : []
  return {
    passed: count.passed,
    failed: Math.max(count.failed, problems.length > 0 ? 1 : 0),
    skipped: count.skipped + notRun.length,
    failures: problems,
    notRun,
  }
}

function refusalOf({ ifLate, minutes }: Step, limit: TimeLimit): string | undefined {
  if (ifLate === 'must run') return undefined
  return ifLate === 'cut off' ? limit.refusalOfAPart() : limit.refusalOf(minutes)
}

/** Runs a step, and counts what it judged: its tests, or itself as one. */
async function run(
  { command, hasResults, ifLate, minutes }: Step,
  results: string,
  { root, limit }: CheckPlace,
): Promise<{ readonly end: ProgramEnd; readonly count: ResultCount }> {
  writeFileSync(results, '')
  const left = ifLate === 'must run' ? undefined : limit.left()
  let judged: string | undefined
  const started = performance.now()
  const end = await runUntil(command, left === undefined ? undefined : left * 60_000, {
    cwd: root,
    env: { ...process.env, TEST_RESULTS: results },
    // What fails as it is ended has not been judged.
    onLate: () => {
      judged = readFileSync(results, 'utf8')
    },
  })
  if (end !== 'ended for time') limit.record(minutes, (performance.now() - started) / 60_000)
  if (hasResults)
    return { end, count: atLeastOne(countResults(judged ?? readFileSync(results, 'utf8')), end) }
  const isPassed = end !== 'ended for time' && end.code === 0
  return { end, count: { ...nothing, passed: isPassed ? 1 : 0 } }
}

/** Tests that ended well without one that ran are a failure. */
function atLeastOne(count: ResultCount, end: ProgramEnd): ResultCount {
  if (end === 'ended for time' || count.passed + count.failed > 0) return count
  return { ...count, failed: 1, failures: ['no test has left a result'] }
}

const nothing: CheckSum = { passed: 0, failed: 0, skipped: 0, failures: [], notRun: [] }

function add(sums: readonly CheckSum[]): CheckSum {
  return sums.reduce(
    (one, other) => ({
      passed: one.passed + other.passed,
      failed: one.failed + other.failed,
      skipped: one.skipped + other.skipped,
      failures: [...one.failures, ...other.failures],
      notRun: [...one.notRun, ...other.notRun],
    }),
    nothing,
  )
}
