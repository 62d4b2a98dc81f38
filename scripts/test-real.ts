/**
 * `npm run test:real`: the product against real Talos nodes. Makes what they start from where the cache does
 * not have it, then runs the tests in namespaces of their own, which the kernel takes away with everything
 * in them when the tests end, however they end. Takes vitest's own arguments.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkHost } from '../src/sandbox/real/bed/check-host.ts'
import { prepareBed } from '../src/sandbox/real/bed/prepare-bed.ts'
import { isolatedCommand } from '../src/sandbox/real/isolated-command.ts'
import { sweepAfter } from '../src/sandbox/real/sweep-after.ts'

const root = resolve(import.meta.dirname, '..')
const cache =
  process.env['HCLOUD_TALOS_REAL_CACHE'] ?? join(homedir(), '.cache', 'hcloud-talos-real')
await checkHost({ cache, work: tmpdir(), path: process.env['PATH'] ?? '' })
const started = performance.now()
await prepareBed({
  root,
  cache,
  path: process.env['PATH'] ?? '',
  report: (line) => console.log(`[${seconds()} s] ${line}`),
})
console.log(`what real nodes start from is there after ${seconds()} s`)

const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-real-'))
const sweeper = await sweepAfter(folder)
const vitest = [
  join(root, 'node_modules', 'vitest', 'vitest.mjs'),
  'run',
  '--config',
  'test/real/vitest.config.ts',
]
const [program, ...args] = isolatedCommand([process.execPath, ...vitest, ...process.argv.slice(2)])
const child = spawn(program, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, HCLOUD_TALOS_REAL_CACHE: cache, HCLOUD_TALOS_REAL_FOLDER: folder },
})
const [code] = await once(child, 'close')
await sweeper.sweep()
process.exitCode = code ?? 1

function seconds(): string {
  return ((performance.now() - started) / 1_000).toFixed(0)
}
