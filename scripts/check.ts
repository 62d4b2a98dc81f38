/**
 * Everything that must be true of a change, in one command: `npm run check`. CI runs the same, part by part
 * (`npm run check -- peers real`). Each step runs even if a former one failed; the last line is the sum of all
 * tests and steps.
 *
 * With `--within <minutes>`, which `.ci/run` gives, a step that says so is left out where it would not end in time,
 * by the pace of the steps before it, or where that pace is too slow to judge anything (time-limit.ts). It is named
 * at the end and counted as skipped, never as passed: a green run with such a line has not judged that part.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cacheFolder } from '../rig/bed/cache-folder.ts'
import { testGroups } from './test-groups.ts'
import { timeLimit } from './time-limit.ts'

const root = resolve(import.meta.dirname, '..')
const results = join(root, '.cache', 'test-results')

/** What scripts/generate.ts writes: committed, and rebuilt here without a difference. */
const generated = [
  ...['dist', 'schema', 'docs', 'src/talos/api/gen', 'actions', 'reconcile'],
  ...['README.md', 'CONTRIBUTING.md', 'examples/workflows'],
]

const parts = ['static', 'tests', 'lives', 'peers', 'real'] as const

interface Step {
  readonly part: (typeof parts)[number]
  readonly title: string
  readonly command: readonly string[]
  /** What it takes on two idle cores with warm caches. */
  readonly minutes: number
  /** Left out, and said so, where it would not end in time; every other step runs however long it takes. */
  readonly yieldsToTime?: true
  /** Where the step leaves vitest's own count, if it runs tests. */
  readonly report?: string
  /** Paths that must be the same afterwards. */
  readonly unchanged?: readonly string[]
}

const steps: readonly Step[] = [
  { part: 'static', title: 'types', command: script('typecheck'), minutes: 0.1 },
  { part: 'static', title: 'lint', command: script('lint'), minutes: 0.1 },
  { part: 'static', title: 'unused code', command: script('unused'), minutes: 0.1 },
  {
    part: 'static',
    title: 'dist, schema and docs are as their sources say',
    command: script('generate'),
    minutes: 0.3,
    unchanged: generated,
  },
  { part: 'static', title: 'size of the bundle', command: script('size'), minutes: 0.05 },
  ...testGroups.map(
    ({ name, title, minutes, of }): Step => ({
      part: 'tests',
      title,
      command: [
        'npm',
        'test',
        '--',
        ...of.map((entry) => `test/${entry}`),
        ...reportArguments(name),
      ],
      minutes,
      ...(name === 'pure' ? {} : { yieldsToTime: true }),
      report: name,
    }),
  ),
  {
    part: 'peers',
    title: "peers: other people's software",
    command: [...script('test:peers'), '--', ...reportArguments('peers')],
    minutes: 8,
    yieldsToTime: true,
    report: 'peers',
  },
  {
    part: 'lives',
    title: 'whole lives: child processes, runs cut off, attacks, examples',
    command: [...script('test:e2e'), '--', ...reportArguments('e2e')],
    minutes: 18,
    yieldsToTime: true,
    report: 'e2e',
  },
  {
    part: 'lives',
    title: 'lines on which clusters hang are held by tests: a sample',
    command: [...script('mutate'), '--', '--sample', '6', '--seed', '20261128'],
    minutes: 3,
    yieldsToTime: true,
  },
  {
    part: 'lives',
    title: 'quickstart',
    command: script('quickstart'),
    minutes: 0.5,
    yieldsToTime: true,
  },
  {
    part: 'real',
    title: 'real nodes',
    command: [...script('test:real'), '--', ...reportArguments('real')],
    minutes: isBedMade() ? 38 : 38 + 25,
    yieldsToTime: true,
    report: 'real',
  },
]

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const sum = { passed: 0, failed: 0, skipped: 0 }
const failures: string[] = []
const leftOut: string[] = []
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
for (const step of steps) if (asked.length === 0 || asked.includes(step.part)) runStep(step)
for (const failure of failures) console.log(`FAILED: ${failure}`)
for (const step of leftOut) console.log(`NOT RUN: ${step}`)
const skipped = sum.skipped === 0 ? '' : `, ${sum.skipped} skipped`
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`)
process.exitCode = sum.failed === 0 ? 0 : 1

function runStep({ title, command, minutes, yieldsToTime, report, unchanged = [] }: Step): void {
  console.log(`\n=== ${title}`)
  const refusal = yieldsToTime ? limit.refusalOf(minutes) : undefined
  if (refusal !== undefined) {
    leftOut.push(`${title}: ${refusal}`)
    sum.skipped += 1
    return
  }
  const started = Date.now()
  const before = fingerprint(unchanged)
  const [program = '', ...args] = command
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  limit.record(minutes, (Date.now() - started) / 60_000)
  const problems = [
    ...(status === 0 ? [] : [`${title}: exit code ${status}`]),
    ...changedFiles(before, fingerprint(unchanged)).map(
      (file) => `${title}: ${file} was not up to date`,
    ),
  ]
  const count =
    report === undefined ? { passed: 1, failed: 0, skipped: 0, names: [] } : readReport(report)
  sum.passed += problems.length > 0 && report === undefined ? 0 : count.passed
  sum.failed += Math.max(count.failed, problems.length > 0 ? 1 : 0)
  sum.skipped += count.skipped
  failures.push(...problems, ...count.names.map((name) => `${title}: ${name}`))
  console.log(
    `--- ${title}: ${problems.length === 0 ? 'ok' : 'FAILED'} (${Math.round((Date.now() - started) / 1000)} s)`,
  )
}

function script(name: string): string[] {
  return ['npm', 'run', '--silent', name]
}

/** Whether an earlier run has left what real nodes start from. */
function isBedMade(): boolean {
  const folder = cacheFolder(process.env)
  const isThere = statSync(folder, { throwIfNoEntry: false }) !== undefined
  return isThere && readdirSync(folder).some((name) => name.startsWith('talos-root-'))
}

function reportArguments(name: string): string[] {
  return [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(results, `${name}.json`)}`,
  ]
}

/** What one report of vitest says: its count, and the tests that did not pass. */
interface Count {
  readonly passed: number
  readonly failed: number
  /** Sentences that need the real Hetzner or GitHub, and so a token. */
  readonly skipped: number
  readonly names: readonly string[]
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numTotalTests: number
  /** Neither this nor what is below is in that of real nodes. */
  readonly numPendingTests?: number
  /** Real nodes name their failures themselves. */
  readonly testResults?: readonly {
    readonly name: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** Vitest's own count; a report that is missing, or of no test at all, is a failure. */
function readReport(name: string): Count {
  try {
    const report: VitestReport = JSON.parse(readFileSync(join(results, `${name}.json`), 'utf8'))
    const { numPassedTests: passed, numTotalTests: total, numPendingTests: skipped = 0 } = report
    const failed = total > 0 ? total - passed - skipped : 1
    return { passed, failed, skipped, names: failedTests(report) }
  } catch {
    return { passed: 0, failed: 1, skipped: 0, names: [] }
  }
}

/** Printed once more at the end: whoever sees only the last lines of a long log knows what to look at. */
function failedTests({ testResults = [] }: VitestReport): string[] {
  return testResults.flatMap(({ name: file, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const path = relative(root, file)
    if (assertionResults.length === 0) return [`${path}: ${firstLine(message)}`]
    return failed.map(
      ({ fullName, failureMessages }) => `${path}: ${fullName}: ${firstLine(failureMessages?.[0])}`,
    )
  })
}

function firstLine(text = 'no message'): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 200)
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
