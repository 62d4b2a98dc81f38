import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { RigError } from '../rig-error.ts'

export interface TetheredRun {
  readonly command: readonly [string, ...string[]]
  readonly path: string
  readonly signal: AbortSignal
  /** Working folder. */
  readonly folder?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** How much of what a program said last goes into an error, in characters. */
const tailLength = 2_000

/**
 * Ends with whoever started it, and takes its children along, also when the starter is killed: the
 * program is the first process of a namespace, so nothing outlives it, and its mounts are its own.
 */
const tether = [
  'setpriv',
  '--pdeathsig',
  'KILL',
  'unshare',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--',
] as const

/**
 * Runs a program of the host as root and returns what it printed. Throws a `RigError` with what
 * it said last, and the signal's reason when aborted.
 */
export async function runTethered(run: TetheredRun): Promise<string> {
  run.signal.throwIfAborted()
  const [program, ...args] = tether
  const child = spawn(program, [...args, ...run.command], {
    ...(run.folder === undefined ? {} : { cwd: run.folder }),
    env: { PATH: run.path, HOME: homedir(), LC_ALL: 'C', ...run.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: run.signal,
    killSignal: 'SIGKILL',
  })
  const out: Buffer[] = []
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-tailLength)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (run.signal.aborted) reject(run.signal.reason)
      else reject(failed(run, error.message, error))
    })
    child.once('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(out).toString('utf8'))
      else reject(failed(run, `${signal ?? `exit ${code}`}: ${output.trim()}`))
    })
  })
}

function failed({ command, folder }: TetheredRun, output: string, cause?: unknown): RigError {
  const where = folder === undefined ? '' : ` in ${folder}`
  return new RigError(
    `\`${command.join(' ').slice(0, 300)}\`${where} failed: ${output}`,
    'Run it again: what was finished is kept, and it continues from there.',
    cause,
  )
}
