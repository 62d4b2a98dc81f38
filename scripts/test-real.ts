/**
 * `npm run test:real [-- <part of a file's name>...]`: the product against real Talos nodes, and against real hosts where
 * these are named (`hosts`), as long as no command reads their cluster files. Makes what they start from where the cache does not have it, then runs the lives, a few at once, each in
 * namespaces of its own, which the kernel takes away with everything in them when it ends, however it ends.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cacheFolder } from '../rig/bed/cache-folder.ts'
import { checkHost } from '../rig/bed/check-host.ts'
import { prepareBed, prepareHostBed } from '../rig/bed/prepare-bed.ts'
import { isolatedCommand } from '../rig/isolated-command.ts'
import { sweepAfter } from '../rig/sweep-after.ts'
import { createLimit } from '../src/lib/limit.ts'

/** Much of a life is waiting: for a kubelet, for etcd, for a node that boots. */
const atOnce = 2

const root = resolve(import.meta.dirname, '..')
const cache = cacheFolder(process.env)
const path = process.env['PATH'] ?? ''
const started = performance.now()
await checkHost({ cache, work: tmpdir(), path })
const wanted = process.argv.slice(2)
const files = (await readdir(join(root, 'test', 'real')))
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) =>
    wanted.length === 0 ? !isOfHosts(name) : wanted.some((part) => name.includes(part)),
  )
  .toSorted((one, other) => turnOf(one) - turnOf(other))
const bed = {
  root,
  cache,
  path,
  report: (line: string) => console.log(`[${seconds()} s] ${line}`),
}
if (files.some((file) => !isOfHosts(file))) await prepareBed(bed)
if (files.some(isOfHosts)) await prepareHostBed(bed)
console.log(`what real nodes start from is there after ${seconds()} s`)
const limit = createLimit(atOnce)
const lives = await Promise.all(files.map((file) => limit(() => live(file))))
const sum = {
  numPassedTests: lives.reduce((total, { passed }) => total + passed, 0),
  numTotalTests: lives.reduce((total, { all }) => total + all, 0),
}
// Last, where whoever reads the end of a long log finds it.
for (const failure of lives.flatMap(({ failures }) => failures)) console.log(`failed: ${failure}`)
console.log(
  `real nodes: ${sum.numPassedTests} of ${sum.numTotalTests} tests of ${files.length} lives passed in ${seconds()} s`,
)
const allPassed = sum.numTotalTests > 0 && sum.numPassedTests === sum.numTotalTests
process.exitCode = allPassed && lives.every(({ code }) => code === 0) ? 0 : 1

/** Its nodes are hosts with kubeadm, not Talos. */
function isOfHosts(file: string): boolean {
  return file.startsWith('hosts-')
}

/** The longest life begins first: everything else has ended before it does. */
function turnOf(file: string): number {
  const at = ['three-control-planes', 'one-control-plane'].findIndex((name) => file.includes(name))
  return at < 0 ? 2 : at
}

/** Runs one file in a world of its own, and says what it said when it has ended. */
async function live(file: string): Promise<LifeCount & { readonly code: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-real-'))
  const sweeper = await sweepAfter(folder)
  const counted = join(folder, 'report.json')
  const [program, ...args] = isolatedCommand([
    process.execPath,
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config',
    'test/real/vitest.config.ts',
    '--reporter=verbose',
    '--reporter=json',
    `--outputFile.json=${counted}`,
    // For whoever counts the tests of several steps: npm run check.
    '--reporter=./scripts/check/result-reporter.ts',
    `test/real/${file}`,
  ])
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HCLOUD_TALOS_REAL_CACHE: cache, HCLOUD_TALOS_REAL_FOLDER: folder },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  console.log(output)
  const count = await readCount(file, counted)
  await sweeper.sweep()
  const isStray = code !== 0 && count.failures.length === 0
  const failures = isStray ? [`${file}: a failure outside of its tests; see above`] : count.failures
  return { ...count, failures, code: code ?? 1 }
}

interface LifeCount {
  readonly passed: number
  readonly all: number
  /** The test, and the first line of what was wrong. */
  readonly failures: readonly string[]
}

/** A life that left no count has failed. */
async function readCount(file: string, report: string): Promise<LifeCount> {
  try {
    const { numPassedTests, numTotalTests, testResults } = JSON.parse(
      await readFile(report, 'utf8'),
    )
    const tests: { fullName: string; status: string; failureMessages: string[] }[] =
      testResults.flatMap(({ assertionResults }: { assertionResults: [] }) => assertionResults)
    const failures = tests
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages: [why = ''] }) => `${fullName}: ${why.split('\n')[0]}`)
    return { passed: numPassedTests, all: numTotalTests, failures }
  } catch {
    return { passed: 0, all: 1, failures: [`${file} left no report`] }
  }
}

function seconds(): string {
  return ((performance.now() - started) / 1_000).toFixed(0)
}
