/**
 * What the product costs: `npm run bench`, `npm run bench -- --quick` for the smallest size alone,
 * `npm run bench -- --store` for the state branch alone, or `npm run bench -- talos` for the two Talos
 * libraries by themselves (which needs Go). Plans and applies clusters of several sizes against the
 * sandbox with realistic latencies, each from a process
 * of its own, and compares with what was promised. docs/performance.md says what the figures mean; they
 * are left in .cache/bench.json.
 */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { benchSize, type Cost, type Size, type SizeFigures } from './bench/bench-size.ts'
import { benchStore } from './bench/bench-store.ts'
import { bundleProduct } from './bench/bundle-product.ts'
import { runMeasured } from './bench/measured-process.ts'
import { benchTalos } from './bench/talos-library.ts'
import { judge } from './bench/targets.ts'

const root = resolve(import.meta.dirname, '..')

/**
 * Speeds at which the work that is really done (TLS, git, helm, and the sandbox's own) stays small beside
 * the waits: a second of it counts as `speed` seconds. The more nodes, the more of it there is.
 */
const sizes: readonly Size[] = [
  { nodes: 3, speed: 6, snapshot: false },
  { nodes: 3, speed: 6, snapshot: true },
  { nodes: 30, speed: 4, snapshot: true },
  { nodes: 100, speed: 2, snapshot: true },
]
const options = process.argv.slice(2)
if (options.includes('talos')) {
  await printTalos()
  process.exit()
}
const wanted = options.includes('--store')
  ? []
  : options.includes('--quick')
    ? sizes.slice(1, 2)
    : sizes.filter(({ nodes }) => chosen().length === 0 || chosen().includes(nodes))

const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-bench-'))
const figures: SizeFigures[] = []
try {
  const product = await bundleProduct(root, folder)
  const bundleBytes = (await stat(product.bundle)).size
  const cold = await coldStarts(product.command)
  print(`bundle ${(bundleBytes / 1e6).toFixed(2)} MB`)
  for (const { what, cpuMs } of cold) print(`cold start, ${what}: ${cpuMs} ms of CPU`)
  for (const size of wanted) {
    const began = Date.now()
    const title = `${size.nodes} nodes${size.snapshot ? '' : ' and their image'}`
    const found = await benchSize(size, product, (text) => print(`${title}: ${text}`))
    figures.push(found)
    printFigures(title, found)
    print(`  (took ${Math.round((Date.now() - began) / 1_000)} s)`)
  }
  const store = options.includes('--quick')
    ? []
    : await benchStore((text) => print(`state: ${text}`))
  for (const one of store) {
    print(
      `state of ${one.generations} generations among ${one.clusters} clusters: read ${one.readMs} ms, ${one.readBytes} bytes; publish ${one.publishMs} ms, ${one.publishBytes} bytes`,
    )
  }
  const verdicts = figures.flatMap(judge)
  for (const { what, reached, figure, target } of verdicts) {
    print(`${reached ? 'reached' : 'MISSED '} ${what}: ${figure} (${target})`)
  }
  await mkdir(join(root, '.cache'), { recursive: true })
  const all = { bundleBytes, cold, figures, store, verdicts }
  await writeFile(join(root, '.cache', 'bench.json'), `${JSON.stringify(all, null, 2)}\n`)
  process.exitCode = verdicts.every(({ reached }) => reached) ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** The Talos libraries by themselves: configs, and calls beside those of Talos's own client. */
async function printTalos(): Promise<void> {
  const { configsPerSecond, configsPeakMb, configBytes, callsMs, goCallsMs } = await benchTalos()
  print(
    `configs: ${configsPerSecond} a second, ${configBytes} bytes each, peak +${configsPeakMb} MB`,
  )
  const ratio = (callsMs / goCallsMs).toFixed(2)
  print(
    `1,000 calls over one channel: ${callsMs} ms; Talos's own client ${Math.round(goCallsMs)} ms: ${ratio}`,
  )
}

function chosen(): number[] {
  return options.filter((option) => /^\d+$/.test(option)).map(Number)
}

/** CPU until the program has said something, the least of several: what a busy machine adds is not ours. */
async function coldStarts(command: string): Promise<{ what: string; cpuMs: number }[]> {
  const empty = join(folder, 'empty.yaml')
  await writeFile(empty, '')
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, HCLOUD_TOKEN: 'none' }
  const starts = [
    { what: '--version', args: ['--version'], exitCode: 0 },
    { what: 'plan of an empty file', args: ['plan', '--config', empty], exitCode: 13 },
  ]
  const found: { what: string; cpuMs: number }[] = []
  for (const { what, args, exitCode } of starts) {
    const tries: number[] = []
    for (let round = 0; round < 5; round++) {
      const { cpuMs } = await runMeasured([command, ...args], { folder, environment, exitCode })
      tries.push(cpuMs)
    }
    found.push({ what, cpuMs: Math.min(...tries) })
  }
  return found
}

function printFigures(title: string, { firstPlan, laterPlan, apply }: SizeFigures): void {
  const line = (what: string, cost: Cost) => {
    const requests = Object.entries(cost.requests).map(([front, count]) => `${front} ${count}`)
    print(
      `  ${what}: CPU ${cost.cpuMs} ms (${cost.ownCpuMs} without git and helm), peak ${cost.peakMb} MB; requests: ${requests.join(', ')}`,
    )
  }
  print(title)
  line('first plan', firstPlan)
  line('later plan', laterPlan)
  line('apply', apply)
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  print(
    `  wall ${seconds(apply.wallMs)} s, critical path ${seconds(apply.pathMs)} s: ${apply.ratio}`,
  )
  const { longestMs, slowestOwnMs, ratio } = apply.configuring
  print(
    `  switched on until configured ${seconds(longestMs)} s, slowest node by itself ${seconds(slowestOwnMs)} s: ${ratio}`,
  )
  for (const step of apply.path) print(`    ${step}`)
  for (const { title: phase, fromMs, toMs } of apply.phases) {
    print(`    ${seconds(fromMs).padStart(7)} to ${seconds(toMs).padStart(7)} s  ${phase}`)
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
