import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TooLarge } from '../../lib/bounded-bytes.ts'
import { BoundedOutput } from '../../lib/bounded-output.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { watchSize } from './watch-size.ts'

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
  readonly limits?: GitLimits | undefined
}

/** How much git may write, in bytes. What comes from a remote has no end of its own. */
export interface GitLimits {
  /** To its standard output, and to its standard error. */
  readonly output: number
  /** Into its directory, with what was there. */
  readonly objects: number
}

export interface GitResult {
  /** The exit code; undefined when it was killed, by the timeout for instance. */
  readonly code: number | undefined
  /** Set when it wrote more than it may, and was killed for that. */
  readonly tooLarge?: TooLarge | undefined
  readonly stdout: Uint8Array
  readonly stderr: string
}

/** Longest time for one conversation with a remote by default. */
export const defaultTimeoutMs = 120_000
/** Far beyond any state, and beyond a tree of a large repository whose files are left out. */
const defaultLimits: GitLimits = { output: 256 << 20, objects: 2 ** 30 }
/** How often the growth of its directory is looked at, in milliseconds. */
const checkEveryMs = 200
/** Between asking a child to end and ending it. */
const graceMs = 2_000

/**
 * Runs git and returns how it ended; a failure of git is a result, not an error. The child is a session of
 * its own: without a terminal neither git nor ssh can ask anything, an interruption at ours does not cut
 * a push in half, and the timeout ends its helpers with it; so does more output, or more objects, than is allowed. Throws `git-missing`, and the signal's reason.
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
    const limits = run.limits ?? defaultLimits
    const kill = () => endGroup(child, 'SIGKILL')
    const stdout = new BoundedOutput(limits.output, kill)
    const stderr = new BoundedOutput(limits.output, kill)
    child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk))
    const objects = run.gitDirectory === undefined ? [] : [join(run.gitDirectory, 'objects')]
    const sizes = objects.map((folder) =>
      watchSize(folder, { mostBytes: limits.objects, everyMs: checkEveryMs, onTooLarge: kill }),
    )
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
      for (const size of sizes) void size.end()
      reject(missing(error))
    })
    child.on('close', async (code) => {
      settle()
      const [grown] = await Promise.all(sizes.map((size) => size.end()))
      if (run.signal?.aborted) return reject(run.signal.reason)
      const tooLarge = stdout.tooLarge ?? stderr.tooLarge ?? grown
      resolve({
        code: tooLarge ? undefined : (code ?? undefined),
        tooLarge,
        stdout: stdout.bytes(),
        stderr: stderr.text(),
      })
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
