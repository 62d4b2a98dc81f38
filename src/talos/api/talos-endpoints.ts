import type {
  DescMessage,
  DescMethodBiDiStreaming,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf'
import { isClusterError } from '../../lib/cluster-error.ts'
import type { Renewed } from '../../lib/renewed.ts'
import { type Held, RenewedConnection } from '../../lib/renewed-connection.ts'
import type { TalosCredentials } from '../config/talosconfig.ts'
import type { CallHook } from './call-hook.ts'
import type { CallOptions, Requests, TalosConnection } from './talos-caller.ts'
import { TalosClient } from './talos-client.ts'

export interface TalosEndpoint {
  readonly address: string
  /** 50000. */
  readonly port?: number | undefined
}

export interface TalosEndpointsOptions {
  /** In order of preference: any of them can answer, or pass on. */
  readonly endpoints: readonly [TalosEndpoint, ...TalosEndpoint[]]
  readonly credentials: Renewed<TalosCredentials>
  /** How long one endpoint may take to be connected with before the next is tried, in milliseconds; 3 s. */
  readonly connectMs?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly hook?: CallHook | undefined
}

/**
 * Several ways to the same cluster, one connection to each, kept and used again. A call goes to the first
 * endpoint that can be connected with, and stays with it until it fails; since nothing is asked of an
 * endpoint before it is connected, going on to the next is safe for every method. When the credentials
 * have been renewed, new calls go over a new connection and the old one closes after its last.
 */
export class TalosEndpoints implements TalosConnection, Disposable {
  readonly #options: TalosEndpointsOptions
  readonly #connections: RenewedConnection<TalosCredentials, TalosClient>[]
  #preferred = 0

  constructor(options: TalosEndpointsOptions) {
    this.#options = options
    const { endpoints, timeoutMs, signal, hook } = options
    this.#connections = endpoints.map(
      (endpoint) =>
        new RenewedConnection(
          options.credentials,
          (credentials) => new TalosClient({ ...endpoint, credentials, timeoutMs, signal, hook }),
        ),
    )
  }

  get address(): string {
    const { endpoints } = this.#options
    return endpoints.map(({ address, port = 50_000 }) => `${address}:${port}`).join(', ')
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options?: CallOptions,
  ): Promise<MessageShape<O>> {
    using lease = await this.#lease()
    return await lease.use((client) => client.unary(method, request, options))
  }

  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options?: CallOptions,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    using lease = await this.#lease()
    yield* lease.follow((client) => client.stream(method, request, options))
  }

  async upload<I extends DescMessage, O extends DescMessage>(
    method: DescMethodClientStreaming<I, O>,
    requests: Requests<MessageInitShape<I>>,
    options?: CallOptions,
  ): Promise<MessageShape<O>> {
    using lease = await this.#lease()
    return await lease.use((client) => client.upload(method, requests, options))
  }

  async *duplex<I extends DescMessage, O extends DescMessage>(
    method: DescMethodBiDiStreaming<I, O>,
    requests: Requests<MessageInitShape<I>>,
    options?: CallOptions,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    using lease = await this.#lease()
    yield* lease.follow((client) => client.duplex(method, requests, options))
  }

  throwIfAborted(): void {
    this.#options.signal?.throwIfAborted()
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection[Symbol.dispose]()
  }

  async #lease(): Promise<Lease> {
    this.throwIfAborted()
    const { index, held } = await this.#connected()
    return new Lease(held, () => {
      // Whoever asks next begins with another one.
      if (this.#preferred === index) this.#preferred = (index + 1) % this.#connections.length
    })
  }

  /** The first that can be connected with; where none can, the preferred, whose failure says why. */
  async #connected(): Promise<{ index: number; held: Held<TalosClient> }> {
    const { connectMs = 3_000 } = this.#options
    const preferred = this.#preferred
    const count = this.#connections.length
    for (let step = 0; step < count && count > 1; step++) {
      const index = (preferred + step) % count
      const held = await this.#hold(index)
      try {
        await held.connection.connect(connectMs)
        this.#preferred = index
        return { index, held }
      } catch (error) {
        held[Symbol.dispose]()
        if (!isClusterError(error)) throw error
        this.throwIfAborted()
      }
    }
    return { index: preferred, held: await this.#hold(preferred) }
  }

  #hold(index: number): Promise<Held<TalosClient>> {
    const connection = this.#connections[index]
    if (connection === undefined) throw new Error(`there is no endpoint ${index}`)
    return connection.hold()
  }
}

/** One call's hold on a connection. */
class Lease implements Disposable {
  readonly #held: Held<TalosClient>
  readonly #onUnreachable: () => void

  constructor(held: Held<TalosClient>, onUnreachable: () => void) {
    this.#held = held
    this.#onUnreachable = onUnreachable
  }

  async use<T>(call: (client: TalosClient) => Promise<T>): Promise<T> {
    try {
      return await call(this.#held.connection)
    } catch (error) {
      this.#note(error)
      throw error
    }
  }

  async *follow<T>(call: (client: TalosClient) => AsyncGenerator<T>): AsyncGenerator<T> {
    try {
      yield* call(this.#held.connection)
    } catch (error) {
      this.#note(error)
      throw error
    }
  }

  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]()
  }

  #note(error: unknown): void {
    if (isClusterError(error, 'talos-unreachable')) this.#onUnreachable()
  }
}
