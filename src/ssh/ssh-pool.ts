import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { Redactor } from '../lib/redactor.ts'
import { waitFor } from '../lib/wait-for.ts'
import { isWorthRetrying } from './connect-failure.ts'
import { SshConnection } from './ssh-connection.ts'
import { describeHost, type SshHost, secretsOf } from './ssh-host.ts'

export interface SshPoolOptions {
  readonly clock: Clock
  /** Knows the secrets of all logins after their first use. */
  readonly redactor: Redactor
  /** Ends whatever runs on any host. */
  readonly signal: AbortSignal
  /** How long a host may take until it answers, in milliseconds; 0 tries once. */
  readonly connectWithinMs: number
  /** How long one handshake may take, in milliseconds. */
  readonly handshakeMs?: number
  /** Called whenever the reason for waiting for a host changes. */
  readonly onWaiting?: (host: SshHost, reason: string) => void
  /** Called for each command, and each stream, that is asked of a host. */
  readonly onRequest?: () => void
}

/** The hosts of one run, each with one connection that is opened when it is needed and again when it broke. */
export class SshPool implements AsyncDisposable {
  readonly #options: SshPoolOptions
  readonly #hosts = new Map<SshHost, RemoteHost>()
  #isClosed = false

  constructor(options: SshPoolOptions) {
    this.#options = options
  }

  /** The same for the same object, and so one connection. */
  host(host: SshHost): RemoteHost {
    if (this.#isClosed) throw new Error('the pool of SSH connections is closed')
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    for (const secret of secretsOf(host)) this.#options.redactor.add(secret)
    const jump = host.jump === undefined ? undefined : this.host(host.jump)
    const remote = new RemoteHost(host, this.#options, jump)
    this.#hosts.set(host, remote)
    return remote
  }

  /** Closes all connections, and none can be opened any more. Scripts that run on hosts go on there. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#hosts.values()].map((host) => host.close()))
  }
}

/** Why a host cannot be used any more: the others of this run may still be at work when one has failed. */
function closedPool(host: SshHost): ClusterError {
  return new ClusterError('ssh-failed', `the connections of this run are closed: ${host.name}`, {
    target: describeHost(host),
    hint: 'Run again; look at what failed first.',
  })
}

/** A host as scripts and files use it; from an `SshPool`. */
export class RemoteHost {
  readonly host: SshHost
  readonly clock: Clock
  readonly redactor: Redactor
  readonly signal: AbortSignal
  readonly #closing = new AbortController()
  readonly #options: SshPoolOptions
  readonly #jump: RemoteHost | undefined
  #connection: Promise<SshConnection> | undefined

  constructor(host: SshHost, options: SshPoolOptions, jump?: RemoteHost) {
    this.host = host
    this.clock = options.clock
    this.redactor = options.redactor
    this.signal = options.signal
    this.#options = options
    this.#jump = jump
  }

  /** For good: whoever waits for the host fails, and so does who would connect to it again. */
  async close(): Promise<void> {
    this.#closing.abort(closedPool(this.host))
    const opened = this.#connection
    this.#connection = undefined
    // One that could not be opened was reported to whoever needed it.
    const connection = await opened?.catch(() => undefined)
    await connection?.close()
  }

  /**
   * The host's connection: the one there is, or another where it broke. Throws what opening it throws, and `wait-timeout`
   * where the host did not answer in time.
   */
  async connect(): Promise<SshConnection> {
    this.#closing.signal.throwIfAborted()
    const former = this.#connection
    if (former !== undefined && (await former).isOpen) return former
    // Whoever waited for the former one beside us may have opened another.
    if (this.#connection !== former) return this.connect()
    const opening = this.#openWithin()
    this.#connection = opening
    opening.catch(() => {
      if (this.#connection === opening) this.#connection = undefined
    })
    return opening
  }

  #openWithin(): Promise<SshConnection> {
    const { clock, connectWithinMs, handshakeMs, onWaiting, onRequest } = this.#options
    const { host } = this
    const signal = AbortSignal.any([this.signal, this.#closing.signal])
    return waitFor(
      `${host.name} to answer by SSH`,
      async () => {
        // It waits and tries again by itself: what it throws is final.
        const through = await this.#jump?.connect()
        try {
          const limits = handshakeMs === undefined ? {} : { handshakeMs }
          return {
            done: await SshConnection.open(host, {
              signal,
              through,
              onChannel: onRequest,
              ...limits,
            }),
          }
        } catch (error) {
          if (connectWithinMs === 0 || !isWorthRetrying(error, host)) throw error
          return { pending: error.message }
        }
      },
      {
        clock,
        signal,
        everyMs: 1_500,
        withinMs: connectWithinMs,
        onPending: (reason) => onWaiting?.(host, reason),
        hint: `Look at the console of the host; a firewall may keep this machine from port ${host.port} of it.`,
      },
    )
  }
}
