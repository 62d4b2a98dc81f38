/**
 * What users download with each run stays small: every job fetches the repository at its tag, so each
 * byte in dist/ costs everybody. Raise a limit only for what is worth it.
 */
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const dist = resolve(import.meta.dirname, '..', 'dist')
const megabyte = 1_000_000

const sizeOf = (name: string) => statSync(join(dist, name)).size / megabyte
const sizes = readdirSync(dist).map(sizeOf)
const limits = [
  { what: 'MB in dist/hcloud-talos.cjs', actual: sizeOf('hcloud-talos.cjs'), most: 9.9 },
  { what: 'MB in dist/hosts.cjs', actual: sizeOf('hosts.cjs'), most: 0.6 },
  { what: 'MB in dist/terminal.cjs', actual: sizeOf('terminal.cjs'), most: 0.8 },
  { what: 'MB in dist/sandbox.cjs', actual: sizeOf('sandbox.cjs'), most: 1.2 },
  { what: 'MB in dist/', actual: sizes.reduce((sum, size) => sum + size, 0), most: 13 },
  { what: 'files in dist/', actual: sizes.length, most: 24 },
]

for (const { what, actual, most } of limits) {
  const verdict = actual <= most ? 'ok' : 'TOO MUCH'
  console.log(`${verdict}: ${Number(actual.toFixed(2))} ${what}, at most ${most}`)
  if (actual > most) process.exitCode = 1
}
