import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type RunSandboxOptions, runSandbox } from '../src/cli/commands/sandbox/run-sandbox.ts'
import { cacheFolder } from './bed/cache-folder.ts'
import { checkHost } from './bed/check-host.ts'
import { prepareBed } from './bed/prepare-bed.ts'
import { isolatedCommand } from './isolated-command.ts'
import { realNodes } from './real-nodes.ts'
import { realNodesTalosKeys } from './real-nodes-file.ts'
import { sweepAfter } from './sweep-after.ts'

export interface RunRealSandboxOptions extends RunSandboxOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Takes progress, which may go on for many minutes where nothing is cached. */
  readonly log: (line: string) => void
}

/** Set for the process within the namespaces: the folder of its world. */
const insideVariable = 'HCLOUD_TALOS_REAL_INSIDE'

/**
 * A sandbox whose nodes are real. It lives in namespaces of its own, so a client has to enter them: the line
 * that is announced has the command to put before its own. Throws a `RigError` where this machine cannot, and
 * what `runSandbox` throws.
 */
export function runRealSandbox(options: RunRealSandboxOptions): Promise<void> {
  const { [insideVariable]: inside } = options.environment
  return inside === undefined ? runOutside(options) : runInside(options, inside)
}

async function runOutside(options: RunRealSandboxOptions): Promise<void> {
  const { environment, path, signal, announce } = options
  const cache = cacheFolder(environment)
  await checkHost({ cache, work: tmpdir(), path })
  await bedFor(options, options.log)
  const folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-real-'))
  const sweeper = await sweepAfter(folder)
  const [, script = '', ...args] = process.argv
  const [program, ...command] = isolatedCommand([
    process.execPath,
    ...process.execArgv,
    script,
    ...args,
  ])
  const child = spawn(program, command, {
    env: { ...environment, [insideVariable]: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const end = () => child.stdin.end()
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  createInterface({ input: child.stdout }).on('line', (line) =>
    announce(withWayIn(line, child.pid)),
  )
  await new Promise<void>((done, fail) => {
    child.once('error', fail)
    child.once('close', () => done())
  })
  await sweeper.sweep()
}

async function runInside(options: RunRealSandboxOptions, folder: string): Promise<void> {
  const bed = await bedFor(options, () => {})
  const ended = new AbortController()
  process.stdin.once('end', () => ended.abort()).resume()
  await runSandbox({
    ...options,
    nodes: realNodes({ bed, folder: join(folder, 'nodes') }),
    signal: AbortSignal.any([options.signal, ended.signal]),
  })
}

function bedFor(
  { environment, path, signal }: RunRealSandboxOptions,
  report: (line: string) => void,
) {
  const root = resolve(import.meta.dirname, '..')
  return prepareBed({ root, cache: cacheFolder(environment), path, report, signal })
}

/** How to get in, and what a cluster file needs there. */
function withWayIn(line: string, pid: number | undefined): string {
  const enter = ['nsenter', `--net=/proc/${pid}/ns/net`]
  return JSON.stringify({ ...JSON.parse(line), enter, clusterFile: { talos: realNodesTalosKeys } })
}
