import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { KeptOutput } from './kept-output.ts'
import {
  type OutputSink,
  type ScriptEnd,
  type ScriptExchange,
  sendScript,
} from './script-channel.ts'
import { framedScript, receiverCommand } from './script-receiver.ts'
import type { SshConnection } from './ssh-connection.ts'
import { describeHost, type SshHost } from './ssh-host.ts'
import type { RemoteHost } from './ssh-pool.ts'

export interface Script {
  /** What it does, for errors: `write the Talos image`. */
  readonly title: string
  /** Evaluated by bash with `set -euo pipefail` and `LC_ALL=C`. */
  readonly text: string
  /** Its positional parameters; they may hold any text, and secrets. */
  readonly args?: readonly string[]
  /** Its standard input; empty where absent. */
  readonly input?: Uint8Array
  /** How long it may take, in milliseconds. */
  readonly withinMs: number
  /**
   * Whether it may run again, also beside its former self, when the connection broke and nobody knows how far it came.
   * A script that was never started is always sent again.
   */
  readonly isRepeatable?: boolean
  /** Ends it, beside the signal of the run: an abort is thrown with its reason. */
  readonly signal?: AbortSignal
}

export interface ScriptResult {
  readonly code: number
  /** The end of what it printed, without secrets. */
  readonly stdout: string
  readonly stderr: string
}

/** How much of each stream is kept, in bytes: the end, where errors stand. */
const mostOutput = 64 * 1024

/** How often a script is sent at most. */
const attempts = 3

/**
 * Runs a script on a host and waits for its end; an exit code is a result, whatever it is. Throws `ssh-interrupted` where
 * the connection broke while it ran, `script-failed` where a signal ended it or the host has no bash, `script-timeout` where
 * it took too long (it is ended then), and what connecting throws. An abort ends it and throws the signal's reason.
 */
export async function runScript(remote: RemoteHost, script: Script): Promise<ScriptResult> {
  const makeSink = () => new KeptOutput(mostOutput, remote.redactor)
  const { code, stdout, stderr } = await runInto(remote, script, makeSink)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** The same with its standard output into what `makeSink` makes for each attempt; secrets are not taken out of that. */
export async function runInto<S extends OutputSink>(
  remote: RemoteHost,
  script: Script,
  makeSink: () => S,
): Promise<{ readonly code: number; readonly stdout: S; readonly stderr: KeptOutput }> {
  for (let attempt = 1; ; attempt++) {
    const stdout = makeSink()
    const stderr = new KeptOutput(mostOutput, remote.redactor)
    const connection = await remote.connect()
    try {
      const end = await runOnce(connection, remote, script, { stdout, stderr })
      const code = exitCodeOf(end, remote, script, stderr)
      return { code, stdout, stderr }
    } catch (error) {
      if (attempt === attempts || !mayRunAgain(error, script)) throw error
    }
  }
}

function mayRunAgain(error: unknown, { isRepeatable }: Script): boolean {
  if (isClusterError(error, 'ssh-interrupted')) return isRepeatable === true
  return isClusterError(error, 'ssh-failed') && error.isUnanswered
}

async function runOnce(
  connection: SshConnection,
  remote: RemoteHost,
  { title, text, args = [], input, withinMs, signal: own }: Script,
  sinks: Pick<ScriptExchange, 'stdout' | 'stderr'>,
): Promise<ScriptEnd> {
  const { sudo } = remote.host
  const frame = framedScript(text, args, input)
  const ended = new AbortController()
  const late = new AbortController()
  const startTime = () => {
    remote.clock.sleep(withinMs, ended.signal).then(
      () => late.abort(tookTooLong(title, withinMs, remote)),
      () => undefined,
    )
  }
  const signal = AbortSignal.any([remote.signal, late.signal, ...(own ? [own] : [])])
  try {
    return await connection.exec(
      receiverCommand(sudo),
      (channel) => sendScript(channel, { ...sinks, frame, signal, password: sudo?.password }),
      { signal, onTurn: startTime },
    )
  } finally {
    ended.abort()
  }
}

function exitCodeOf(
  { isSent, isWrongPassword, code, killedBy }: ScriptEnd,
  { host }: RemoteHost,
  { title, isRepeatable }: Script,
  stderr: KeptOutput,
): number {
  if (isSent && code !== undefined) return code
  const context = { operation: title, target: describeHost(host) }
  const evidence = lastLines(stderr.text())
  if (!isSent && host.sudo !== undefined && (isWrongPassword || code !== undefined)) {
    throw sudoRejected(host, isWrongPassword, evidence)
  }
  if (code !== undefined || killedBy !== undefined) {
    const how = killedBy === undefined ? `exit code ${code}` : `signal ${killedBy}`
    const what = isSent ? 'the script was ended' : 'the host cannot run a script with bash'
    throw new ClusterError('script-failed', `${what}: ${how}`, {
      ...context,
      evidence,
      hint: isSent
        ? 'Look at the log of the host: it may be out of memory, or was shut down.'
        : 'Check that the user may log in with a shell and that bash is installed.',
    })
  }
  if (!isSent) {
    throw new ClusterError('ssh-failed', 'the connection broke before the script was sent', {
      ...context,
      hint: 'Check the network between this machine and the host, then run again: nothing was started.',
      isUnanswered: true,
    })
  }
  throw new ClusterError(
    'ssh-interrupted',
    'the connection broke while the script ran: it is unknown how far it came',
    {
      ...context,
      evidence,
      hint: isRepeatable
        ? 'Check the network between this machine and the host, then run again.'
        : 'Look at what there is on the host, then run again: the script was not sent a second time, since it may have run.',
      isUnanswered: true,
    },
  )
}

function sudoRejected(
  host: SshHost,
  isWrongPassword: boolean,
  evidence: readonly string[],
): ClusterError {
  const what = isWrongPassword
    ? `sudo rejects the password of ${host.user} on ${host.name}`
    : `${host.user} may not run scripts as root on ${host.name}`
  return new ClusterError('sudo-rejected', what, {
    operation: 'become root by sudo',
    target: describeHost(host),
    evidence,
    hint: isWrongPassword
      ? `Give the password of ${host.user}, or allow this user sudo without one (NOPASSWD).`
      : `Allow ${host.user} to run bash by sudo on the host, without a terminal (no requiretty), and give the password where sudo asks for one.`,
  })
}

/** The lines of an output that show why something failed. */
export function lastLines(output: string): string[] {
  return output
    .trim()
    .split('\n')
    .slice(-4)
    .filter((line) => line !== '')
}

function tookTooLong(title: string, withinMs: number, { host }: RemoteHost): ClusterError {
  const minutes = Math.round(withinMs / 6_000) / 10
  return new ClusterError(
    'script-timeout',
    `timed out after ${minutes} min: the script did not end, and was stopped`,
    {
      operation: title,
      target: describeHost(host),
      hint: 'Look at what the host is busy with, then run again.',
    },
  )
}
