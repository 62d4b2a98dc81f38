import type { Client, ClientChannel } from 'ssh2'
import { systemCalendar } from '../lib/clock.ts'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { createLimit } from '../lib/limit.ts'
import { connectFailure, type ForwardTarget, forwardFailure } from './connect-failure.ts'
import { credentialsFor } from './credentials.ts'
import { HostKeyCheck } from './host-key.ts'
import { describeHost, type SshHost } from './ssh-host.ts'

/** OpenSSH's MaxSessions is 10 where nobody changed it: the rest is left to people. */
const mostChannels = 8

/** How long a handshake may take where nobody chose that, in milliseconds of the wall's time. */
const usualHandshakeMs = 20_000

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
  /** Called for each channel that is asked for: a command, or a stream to another host. */
  readonly onChannel?: (() => void) | undefined
}

export interface ExecOptions {
  readonly signal: AbortSignal
  /** Called when fewer than eight channels are open, and so this one is asked for. */
  readonly onTurn: () => void
}

export interface ForwardOptions {
  /** How long the jump host may take, in milliseconds. */
  readonly withinMs: number
  readonly signal?: AbortSignal | undefined
}

/** What came of a channel that was opened. */
interface Opened<T> {
  readonly end: Promise<T>
}

/** One connection to one host, with at most eight channels at once. Close it, or hold it in `await using`. */
export class SshConnection implements AsyncDisposable {
  readonly #client: Client
  readonly #host: SshHost
  readonly #limit = createLimit(mostChannels)
  readonly #onChannel: () => void
  readonly #closed: Promise<void>
  #isOpen = true

  private constructor(client: Client, host: SshHost, onChannel: () => void = () => {}) {
    this.#client = client
    this.#host = host
    this.#onChannel = onChannel
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
    { handshakeMs = usualHandshakeMs, signal, through, onChannel }: OpenOptions = {},
  ): Promise<SshConnection> {
    const { default: ssh2 } = await import('ssh2')
    signal?.throwIfAborted()
    const credentials = credentialsFor(host, ssh2)
    const socket = await through?.forward(host, { withinMs: handshakeMs, signal })
    const client = new ssh2.Client()
    const check = new HostKeyCheck(host.hostKey)
    const failure = (cause: Error) => connectFailure(cause, host, check.rejected)
    const { promise: aborted, reject: onAbort } = Promise.withResolvers<never>()
    const abort = () => {
      onAbort(signal?.reason)
      client.destroy()
    }
    signal?.addEventListener('abort', abort, { once: true })
    const ready = new Promise<void>((resolve, reject) => {
      client
        .once('ready', resolve)
        .on('handshake', () => check.confirm())
        .on('error', (error) => reject(failure(error)))
        .once('close', () => reject(failure(new Error('the connection was closed'))))
        .connect({
          host: host.address,
          port: host.port,
          username: host.user,
          ...credentials,
          ...(socket === undefined ? {} : { sock: socket }),
          readyTimeout: handshakeMs,
          keepaliveInterval: 5_000,
          keepaliveCountMax: 3,
          algorithms: { serverHostKey: host.hostKey.algorithms },
          hostVerifier: (key: Buffer) => check.accept(key),
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
    return new SshConnection(client, host, onChannel)
  }

  /** Whether it can still be used; a host that is gone without a word is noticed after three keepalives. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /**
   * Runs a command over a channel of its own and leaves it to `use`, which ends when the channel has closed. It listens to
   * the channel before it waits for anything: the end may have arrived together with the channel. Waits while eight are
   * open. Throws `ssh-failed` where the command was not started.
   */
  async exec<T>(
    command: string,
    use: (channel: ClientChannel) => Promise<T>,
    { signal, onTurn }: ExecOptions,
  ): Promise<T> {
    signal.throwIfAborted()
    this.#onChannel()
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    // Also while it waits for a channel: a host may accept everything and answer nothing.
    const opened = Promise.withResolvers<void>()
    const run = this.#limit(async () => {
      signal.throwIfAborted()
      onTurn()
      const { end } = await this.#openPatiently(command, use, signal)
      opened.resolve()
      return end
    })
    run.catch(() => opened.resolve())
    try {
      await Promise.race([opened.promise, aborted])
      return await run
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /**
   * A stream to a host that this one reaches. A jump host waits as long as its own system lets it for a host that drops
   * every packet: longer than `withinMs` is no answer.
   */
  async forward(to: ForwardTarget, { withinMs, signal }: ForwardOptions): Promise<ClientChannel> {
    signal?.throwIfAborted()
    this.#onChannel()
    const { promise, resolve, reject } = Promise.withResolvers<ClientChannel>()
    const fail = (cause: unknown) => reject(forwardFailure(cause, this.#host, to))
    const abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    const late = setTimeout(() => fail(new Error('no answer')), withinMs)
    let isAwaited = true
    try {
      this.#client.forwardOut('127.0.0.1', 0, to.address, to.port, (error, channel) => {
        if (error) fail(error)
        else if (isAwaited) resolve(channel)
        else channel.close()
      })
      return await promise
    } catch (error) {
      throw isClusterError(error) || signal?.aborted ? error : forwardFailure(error, this.#host, to)
    } finally {
      isAwaited = false
      clearTimeout(late)
      signal?.removeEventListener('abort', abort)
    }
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

  async #openPatiently<T>(
    command: string,
    use: (channel: ClientChannel) => Promise<T>,
    signal: AbortSignal,
  ): Promise<Opened<T>> {
    for (const pauseMs of pausesMs) {
      try {
        return await this.#open(command, use)
      } catch (error) {
        if (isClusterError(error) && error.isUnanswered) throw error
      }
      await systemCalendar.sleep(pauseMs, signal)
    }
    return this.#open(command, use)
  }

  #open<T>(command: string, use: (channel: ClientChannel) => Promise<T>): Promise<Opened<T>> {
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown) => reject(notStarted(cause, this.#host, this.#isOpen))
      try {
        this.#client.exec(command, (error, channel) =>
          error ? fail(error) : resolve({ end: use(channel) }),
        )
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
