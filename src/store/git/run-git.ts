import { type ChildProcess, spawn } from 'node:child_process'
import { ClusterError } from '../../lib/cluster-error.ts'

export interface GitRun {
  /** The whole environment of the child; see `gitEnvironment`. */
  readonly environment: Readonly<Record<string, string>>
  /** `--git-dir`; without it git looks around from the working folder. */
  readonly gitDirectory?: string | undefined
  readonly workingFolder?: string | undefined
  readonly input?: Uint8Array | string | undefined
  /** On the wall, since git does not live on our clock. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface GitResult {
  /** The exit code; undefined when it was killed, by the timeout for instance. */
  readonly code: number | undefined
  readonly stdout: Uint8Array
  readonly stderr: string
}

/** Longest time for one conversation with a remote where nothing else is said. */
export const defaultTimeoutMs = 120_000
/** Between asking a child to end and ending it. */
const graceMs = 2_000

/**
 * Runs git and tells how it ended; a failure of git is a result, not an error. The child is a session of
 * its own: without a terminal neither git nor ssh can ask anything, an interruption at ours does not cut
 * a push in half, and the timeout ends its helpers with it. Throws `git-missing`, and the signal's reason.
 */
export function runGit(args: readonly string[], run: GitRun): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    if (run.signal?.aborted) return reject(run.signal.reason)
    const where = run.gitDirectory === undefined ? [] : [`--git-dir=${run.gitDirectory}`]
    const child = spawn('git', [...where, ...args], {
      env: { ...run.environment },
      cwd: run.workingFolder,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    let killer: NodeJS.Timeout | undefined
    const stop = () => {
      endGroup(child, 'SIGTERM')
      killer = setTimeout(() => endGroup(child, 'SIGKILL'), graceMs)
    }
    const timer = setTimeout(stop, run.timeoutMs ?? defaultTimeoutMs)
    run.signal?.addEventListener('abort', stop, { once: true })
    const settle = () => {
      clearTimeout(timer)
      clearTimeout(killer)
      run.signal?.removeEventListener('abort', stop)
    }
    child.on('error', (error) => {
      settle()
      reject(missing(error))
    })
    child.on('close', (code) => {
      settle()
      if (run.signal?.aborted) return reject(run.signal.reason)
      const text = Buffer.concat(stderr).toString('utf8')
      resolve({ code: code ?? undefined, stdout: Buffer.concat(stdout), stderr: text })
    })
    // A child that ends before it has read everything says why on its standard error.
    child.stdin.on('error', () => undefined)
    child.stdin.end(run.input ?? '')
  })
}

/** Ends the child and its helpers; politely first, since git then removes the locks that it holds. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    child.kill(signal)
  }
}

function missing(error: Error): Error {
  if (!('code' in error) || error.code !== 'ENOENT') return error
  return new ClusterError('git-missing', 'git was not found on this machine', {
    hint: 'Install git 2.31 or newer and put it on the PATH.',
    operation: 'run git',
    cause: error,
  })
}
