import type { Client, ClientChannel } from 'ssh2'
import { ClusterError } from '../lib/cluster-error.ts'
import type { HostKeyPin } from './host-key.ts'

export interface SshTarget {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly privateKey: string
  readonly pin: HostKeyPin
  /** How long the handshake may take, in milliseconds. */
  readonly handshakeMs?: number
  /** Ends the handshake; a connection that stands is not concerned. */
  readonly signal?: AbortSignal | undefined
}

export interface RunOptions {
  /** Text for the command's standard input; a script for `bash -s`, say. */
  readonly stdin?: string
  /** Each piece of what it prints, standard error included, as it comes. */
  readonly onOutput?: (text: string) => void
  readonly signal?: AbortSignal | undefined
}

export interface RunResult {
  /** Undefined when the command was ended by a signal or the connection broke: never a success. */
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** How much of each stream is kept, in characters: the end, where errors stand. */
const keptOutput = 64 * 1024

/** One connection to one host. Close it, or hold it in `await using`. */
export class SshConnection implements AsyncDisposable {
  readonly #client: Client
  readonly #host: string
  readonly #closed: Promise<void>

  private constructor(client: Client, host: string) {
    this.#client = client
    this.#host = host
    // The other side may hang up first, as a host does that was told to switch itself off.
    this.#closed = new Promise((resolve) => client.once('close', () => resolve()))
  }

  /**
   * Connects and authenticates. Fails with `ssh-host-key` when the host shows another key than the
   * pinned one, and with `ssh-failed` otherwise; a host that is still starting fails like one that is
   * not there, so callers try again. An abort throws the signal's reason.
   */
  static async open(target: SshTarget): Promise<SshConnection> {
    const { Client } = (await import('ssh2')).default
    const { signal } = target
    signal?.throwIfAborted()
    const client = new Client()
    const { promise: aborted, reject: onAbort } = Promise.withResolvers<never>()
    const abort = () => {
      onAbort(signal?.reason)
      client.destroy()
    }
    signal?.addEventListener('abort', abort, { once: true })
    const ready = new Promise<void>((resolve, reject) => {
      client
        .once('ready', resolve)
        .on('error', (error) => reject(connectionFailure(error, target)))
        .once('close', () => reject(connectionFailure(new Error('closed'), target)))
        .connect({
          host: target.host,
          port: target.port,
          username: target.username,
          privateKey: target.privateKey,
          readyTimeout: target.handshakeMs ?? 20_000,
          keepaliveInterval: 5_000,
          keepaliveCountMax: 3,
          hostVerifier: (key: Buffer) => target.pin.accept(key),
        })
    })
    try {
      await Promise.race([ready, aborted])
    } finally {
      signal?.removeEventListener('abort', abort)
    }
    return new SshConnection(client, target.host)
  }

  /** Runs a command and waits for its end. Throws `ssh-failed` only when it could not be started. */
  run(command: string, { stdin, onOutput, signal }: RunOptions = {}): Promise<RunResult> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      let channel: ClientChannel | undefined
      // Also while the channel is being opened: a host may accept everything and answer nothing.
      const abort = () => {
        channel?.close()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      const settle = () => signal?.removeEventListener('abort', abort)
      this.#client.exec(command, (error, opened) => {
        if (error) {
          settle()
          return reject(commandFailure(error, this.#host))
        }
        channel = opened
        if (signal?.aborted) return opened.close()
        collect(opened, onOutput).then(
          (result) => {
            settle()
            resolve(result)
          },
          (failure) => {
            settle()
            reject(commandFailure(failure, this.#host))
          },
        )
        opened.end(stdin ?? '')
      })
    })
  }

  async close(): Promise<void> {
    this.#client.end()
    // A peer that is gone never answers the goodbye, so it is said and not waited for.
    setImmediate(() => this.#client.destroy())
    await this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function collect(channel: ClientChannel, onOutput?: (text: string) => void): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const kept = { stdout: '', stderr: '' }
    let code: number | undefined
    const keep = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => {
      const text = chunk.toString('utf8')
      kept[stream] = (kept[stream] + text).slice(-keptOutput)
      onOutput?.(text)
    }
    channel.on('data', keep('stdout'))
    channel.stderr.on('data', keep('stderr'))
    channel.on('exit', (exitCode: number | null) => {
      code = exitCode ?? undefined
    })
    channel.on('error', reject)
    channel.on('close', () => resolve({ code, ...kept }))
  })
}

function connectionFailure(cause: Error, { host, port, pin }: SshTarget): ClusterError {
  if (pin.refused) {
    return new ClusterError('ssh-host-key', `${host} shows another host key than before`, {
      operation: 'connect by SSH',
      target: `${host}:${port}`,
      hint: `Run again to start from a new server: expected ${pin.fingerprint}, got ${pin.refused}, so somebody may be between you and the host.`,
      cause,
    })
  }
  return new ClusterError('ssh-failed', `cannot connect by SSH: ${cause.message}`, {
    operation: 'connect by SSH',
    target: `${host}:${port}`,
    cause,
  })
}

function commandFailure(cause: unknown, host: string): ClusterError {
  const text = cause instanceof Error ? cause.message : String(cause)
  return new ClusterError('ssh-failed', `cannot run a command by SSH: ${text}`, {
    target: host,
    cause,
  })
}
