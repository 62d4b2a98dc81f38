import type { Client, ClientChannel } from 'ssh2'
import { systemCalendar } from '../lib/clock.ts'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { createLimit } from '../lib/limit.ts'
import { connectFailure, forwardFailure } from './connect-failure.ts'
import { credentialsFor } from './credentials.ts'
import { describeHost, type SshHost } from './ssh-host.ts'

/** OpenSSH's MaxSessions is 10 where nobody changed it: the rest is left to people. */
const mostChannels = 8

/** How long closing may take, in milliseconds of the wall's time: what lies under a jump host is not ours to end. */
const closeWithinMs = 1_000

/**
 * How long to wait for a channel that the host rejects before it is asked for again, in milliseconds of the wall's time:
 * sshd counts a session for a moment after its channel has closed.
 */
const pausesMs = [100, 300, 1_000, 3_000, 10_000]

export interface OpenOptions {
  /** How long the handshake may take, in milliseconds. */
  readonly handshakeMs?: number
  /** Ends the handshake; a connection that is open is not concerned. */
  readonly signal?: AbortSignal | undefined
  /** A connection to its jump host. */
  readonly through?: SshConnection | undefined
}

export interface ExecOptions {
  readonly signal: AbortSignal
  /** Called when fewer than eight channels are open, and so this one is asked for. */
  readonly onTurn: () => void
}

/** One connection to one host, with at most eight channels at once. Close it, or hold it in `await using`. */
export class SshConnection implements AsyncDisposable {
  readonly #client: Client
  readonly #host: SshHost
  readonly #limit = createLimit(mostChannels)
  readonly #closed: Promise<void>
  #isOpen = true

  private constructor(client: Client, host: SshHost) {
    this.#client = client
    this.#host = host
    // The host may hang up first, as one does that shuts down.
    this.#closed = new Promise((resolve) =>
      client.once('close', () => {
        this.#isOpen = false
        resolve()
      }),
    )
  }

  /**
   * Connects and logs in, once. Throws what `connectFailure` makes of it; an abort throws the signal's reason.
   */
  static async open(
    host: SshHost,
    { handshakeMs, signal, through }: OpenOptions = {},
  ): Promise<SshConnection> {
    const { default: ssh2 } = await import('ssh2')
    signal?.throwIfAborted()
    const credentials = credentialsFor(host, ssh2)
    const socket = await through?.forward(host)
    const client = new ssh2.Client()
    const { promise: aborted, reject: onAbort } = Promise.withResolvers<never>()
    const abort = () => {
      onAbort(signal?.reason)
      client.destroy()
    }
    signal?.addEventListener('abort', abort, { once: true })
    const ready = new Promise<void>((resolve, reject) => {
      client
        .once('ready', resolve)
        .on('error', (error) => reject(connectFailure(error, host)))
        .once('close', () => reject(connectFailure(new Error('the connection was closed'), host)))
        .connect({
          host: host.address,
          port: host.port,
          username: host.user,
          ...credentials,
          ...(socket === undefined ? {} : { sock: socket }),
          readyTimeout: handshakeMs ?? 20_000,
          keepaliveInterval: 5_000,
          keepaliveCountMax: 3,
          algorithms: { serverHostKey: host.hostKey.algorithms },
          hostVerifier: (key: Buffer) => host.hostKey.accept(key),
        })
    })
    try {
      await Promise.race([ready, aborted])
    } catch (error) {
      client.destroy()
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
    return new SshConnection(client, host)
  }

  /** Whether it can still be used; a host that is gone without a word is noticed after three keepalives. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /**
   * Runs a command over a channel of its own and leaves it to `use`, which ends when the channel has closed. Waits while
   * eight are open. Throws `ssh-failed` where the command was not started.
   */
  async exec<T>(
    command: string,
    use: (channel: ClientChannel) => Promise<T>,
    { signal, onTurn }: ExecOptions,
  ): Promise<T> {
    signal.throwIfAborted()
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    // Also while it waits for a channel: a host may accept everything and answer nothing.
    const opened = Promise.withResolvers<void>()
    const run = this.#limit(async () => {
      signal.throwIfAborted()
      onTurn()
      const channel = await this.#openPatiently(command, signal)
      opened.resolve()
      if (signal.aborted) {
        channel.close()
        throw signal.reason
      }
      return use(channel)
    })
    run.catch(() => opened.resolve())
    try {
      await Promise.race([opened.promise, aborted])
      return await run
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** A stream to a host that this one reaches. */
  forward(to: SshHost): Promise<ClientChannel> {
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown) => reject(forwardFailure(cause, this.#host, to))
      try {
        this.#client.forwardOut('127.0.0.1', 0, to.address, to.port, (error, channel) =>
          error ? fail(error) : resolve(channel),
        )
      } catch (error) {
        fail(error)
      }
    })
  }

  async close(): Promise<void> {
    // No goodbye: ssh2 destroys no socket that was ended, and a peer that is gone never answers one.
    this.#client.destroy()
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, closeWithinMs)
    await Promise.race([this.#closed, late])
    clearTimeout(timer)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #openPatiently(command: string, signal: AbortSignal): Promise<ClientChannel> {
    for (const pauseMs of pausesMs) {
      try {
        return await this.#open(command)
      } catch (error) {
        if (isClusterError(error) && error.isUnanswered) throw error
      }
      await systemCalendar.sleep(pauseMs, signal)
    }
    return this.#open(command)
  }

  #open(command: string): Promise<ClientChannel> {
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown) => reject(notStarted(cause, this.#host, this.#isOpen))
      try {
        this.#client.exec(command, (error, channel) => (error ? fail(error) : resolve(channel)))
      } catch (error) {
        fail(error)
      }
    })
  }
}

/** Where the connection is gone, another one may do; where the host opens no channel on it, it is the host's limit. */
function notStarted(cause: unknown, host: SshHost, isOpen: boolean): ClusterError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const isRejected = isOpen && /channel open failure/i.test(reason)
  return new ClusterError('ssh-failed', `cannot run a command by SSH: ${reason}`, {
    operation: 'open a channel',
    target: describeHost(host),
    hint: isRejected
      ? 'Check MaxSessions and ForceCommand in the sshd_config of the host: eight sessions at once are needed.'
      : 'Check the network between this machine and the host, then run again.',
    isUnanswered: !isRejected,
    cause,
  })
}
