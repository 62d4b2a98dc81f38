import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Measured {
  /** User and system time of the process and of all that it started (git, helm), by the kernel, in milliseconds. */
  readonly cpuMs: number
  /** Of the process alone. */
  readonly ownCpuMs: number
  /** The most memory that the process itself ever held, in MB. */
  readonly peakMb: number
  readonly output: string
}

/** At its end a process writes what the kernel says that it used; its path is in BENCH_USAGE. */
const preload = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  require('node:fs').writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ user, system, maxRSS }))
})\n`

export interface MeasureOptions {
  /** Where the process works, and where its figures pass through. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** How it is expected to end; 0 where absent. */
  readonly exitCode?: number
}

/** Runs a script in a Node process of its own and says what it cost; throws when it ends otherwise than expected. */
export async function runMeasured(
  args: readonly string[],
  { folder, environment, exitCode: expected = 0 }: MeasureOptions,
): Promise<Measured> {
  const hook = join(folder, 'report-usage.cjs')
  const [usage, times] = [join(folder, 'usage.json'), join(folder, 'times.txt')]
  await writeFile(hook, preload)
  // The shell has one child, and tells what it and its children used.
  const script = `"$@"; code=$?; times >'${times}'; exit $code`
  const command = [process.execPath, '--require', hook, ...args]
  const child = spawn('sh', ['-c', script, 'sh', ...command], {
    env: { ...environment, BENCH_USAGE: usage },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err]: Buffer[][] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => out?.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err?.push(chunk))
  const exitCode = await new Promise<number>((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done(code ?? 1))
  })
  if (exitCode !== expected) {
    const stderr = Buffer.concat(err ?? []).toString('utf8')
    throw new Error(`${args.slice(0, 2).join(' ')} ended with exit code ${exitCode}:\n${stderr}`)
  }
  const own: { user: number; system: number; maxRSS: number } = JSON.parse(
    await readFile(usage, 'utf8'),
  )
  return {
    cpuMs: childrenCpuMs(await readFile(times, 'utf8')),
    ownCpuMs: Math.round((own.user + own.system) / 1_000),
    peakMb: Math.round(own.maxRSS / 1_024),
    output: Buffer.concat(out ?? []).toString('utf8'),
  }
}

/** The second line that `times` prints: `0m1.23s 0m0.10s`, user and system of the children. */
export function childrenCpuMs(times: string): number {
  const line = times.trim().split('\n')[1] ?? ''
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)]
  return Math.round(
    parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0) *
      1_000,
  )
}
