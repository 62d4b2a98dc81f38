/**
 * Sums what tests asked the fronts of the sandbox, as runs with HCLOUD_TALOS_FRONT_REQUESTS=<folder> counted it, and
 * prints the routes that nobody asked for, those that only tests of the sandbox itself ask for and no run of the
 * product, and those that are asked for often and have no sentence in test/contract.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownRoutes } from './front-requests/known-routes.ts'

/** What one test file asked for: how often, by route. */
interface FileCounts {
  readonly file: string
  readonly all: Readonly<Record<string, number>>
  /** Within its tests; the rest is what came before and after them. */
  readonly inTests: Readonly<Record<string, number>>
}

/** More often than this over all tests is often. */
const often = 100

const folder = process.argv[2] ?? process.env['HCLOUD_TALOS_FRONT_REQUESTS']
if (!folder) throw new Error('Name the folder that HCLOUD_TALOS_FRONT_REQUESTS named.')

const files = readdirSync(folder).map(
  (name): FileCounts => JSON.parse(readFileSync(join(folder, name), 'utf8')),
)
const contracts = files.filter(({ file }) => file.includes('test/contract/'))
const others = files.filter((file) => !contracts.includes(file))
const counts = sum(others.map(({ all }) => all))
/** Tests that ask the fronts by themselves; in all others the product asks, or a client of others in its place. */
const ofSandbox = /test\/(?:sandbox|rig)\//
const byProduct = sum(others.filter(({ file }) => !ofSandbox.test(file)).map(({ all }) => all))
const sentences = sum(contracts.map(sentencesOf))

const sorted = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
const unasked = [...new Set(knownRoutes())].filter((route) => !counts.has(route))
const byTestsAlone = [...counts.keys()].filter((route) => !byProduct.has(route))
const withoutSentence = sorted.filter(([route, count]) => count >= often && !sentences.has(route))
const total = sorted.reduce((all, [, count]) => all + count, 0)

print(`${total} requests of ${sorted.length} routes by ${others.length} test files`, [])
print('Routes that nobody asked for', unasked.toSorted())
print('Routes that only tests of the sandbox ask for', byTestsAlone.toSorted())
print(
  `Asked for ${often} times or more, without a sentence in test/contract`,
  withoutSentence.map(([route, count]) => `${String(count).padStart(8)} ${route}`),
)

/** Sentences about nodes need kubeconfigs, and the product asks Hetzner to mint them: that is no sentence about it. */
function sentencesOf({ file, inTests }: FileCounts): Record<string, number> {
  const ofClusters = file.endsWith('simulated-cluster.test.ts')
  const isOwn = (route: string) => !ofClusters || /^(talos|kubernetes) /.test(route)
  return Object.fromEntries(Object.entries(inTests).filter(([route]) => isOwn(route)))
}

function sum(all: readonly Readonly<Record<string, number>>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [route, count] of all.flatMap((one) => Object.entries(one))) {
    counts.set(route, (counts.get(route) ?? 0) + count)
  }
  return counts
}

function print(title: string, lines: readonly string[]): void {
  process.stdout.write(`${[title, ...lines.map((line) => `  ${line}`)].join('\n')}\n\n`)
}
