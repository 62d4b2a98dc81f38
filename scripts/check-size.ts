/**
 * What users download with each run stays small: every job fetches the repository at its tag, so each
 * byte in dist/ costs everybody. Raise a limit only for what is worth it.
 */
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const dist = resolve(import.meta.dirname, '..', 'dist')
const megabyte = 1_000_000

const sizes = readdirSync(dist).map((file) => statSync(join(dist, file)).size)
const bundle = statSync(join(dist, 'hcloud-talos.cjs')).size
const limits = [
  { what: 'MB in dist/hcloud-talos.cjs', actual: bundle / megabyte, most: 12 },
  { what: 'MB in dist/', actual: sizes.reduce((sum, size) => sum + size, 0) / megabyte, most: 13 },
  { what: 'files in dist/', actual: sizes.length, most: 24 },
]

for (const { what, actual, most } of limits) {
  const verdict = actual <= most ? 'ok' : 'TOO MUCH'
  console.log(`${verdict}: ${Number(actual.toFixed(2))} ${what}, at most ${most}`)
  if (actual > most) process.exitCode = 1
}
