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
import type { TalosCredentials } from '../config/talosconfig.ts'
import type { CallHook } from './call-hook.ts'
import type { CredentialSource } from './credential-source.ts'
import type { CallOptions, Requests, TalosCaller } from './talos-caller.ts'
import { TalosClient } from './talos-client.ts'

export interface TalosEndpoint {
  readonly address: string
  /** 50000. */
  readonly port?: number | undefined
}

export interface TalosEndpointsOptions {
  /** In order of preference: any of them can answer, or pass on. */
  readonly endpoints: readonly [TalosEndpoint, ...TalosEndpoint[]]
  readonly credentials: CredentialSource
  /** How long one endpoint may take to be connected with before the next is tried, in milliseconds; 3 s. */
  readonly connectMs?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly hook?: CallHook | undefined
}

interface Pooled {
  readonly client: TalosClient
  readonly credentials: TalosCredentials
  calls: number
  retired: boolean
}

/**
 * Several ways to the same cluster, one connection to each, kept and used again. A call goes to the first
 * endpoint that can be connected with, and stays with it until it fails; since nothing is asked of an
 * endpoint before it is connected, going on to the next is safe for every method. When the credentials
 * have been renewed, new calls go over a new connection and the old one closes after its last.
 */
export class TalosEndpoints implements TalosCaller, Disposable {
  readonly #options: TalosEndpointsOptions
  readonly #pool = new Map<TalosEndpoint, Pooled>()
  #preferred = 0

  constructor(options: TalosEndpointsOptions) {
    this.#options = options
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

  [Symbol.dispose](): void {
    for (const { client } of this.#pool.values()) client.close()
    this.#pool.clear()
  }

  async #lease(): Promise<Lease> {
    this.#options.signal?.throwIfAborted()
    const credentials = await this.#options.credentials.current()
    const { index, pooled } = await this.#connected(credentials)
    return new Lease(pooled, () => {
      // Whoever asks next begins with another one.
      if (this.#preferred === index) this.#preferred = (index + 1) % this.#options.endpoints.length
    })
  }

  /** The first that can be connected with; where none can, the preferred, whose failure says why. */
  async #connected(credentials: TalosCredentials): Promise<{ index: number; pooled: Pooled }> {
    const { endpoints, connectMs = 3_000 } = this.#options
    const preferred = this.#preferred
    for (let step = 0; step < endpoints.length && endpoints.length > 1; step++) {
      const index = (preferred + step) % endpoints.length
      const pooled = this.#pooled(index, credentials)
      try {
        await pooled.client.connect(connectMs)
        this.#preferred = index
        return { index, pooled }
      } catch (error) {
        if (!isClusterError(error)) throw error
        this.#options.signal?.throwIfAborted()
      }
    }
    return { index: preferred, pooled: this.#pooled(preferred, credentials) }
  }

  #pooled(index: number, credentials: TalosCredentials): Pooled {
    const { endpoints, timeoutMs, signal, hook } = this.#options
    const endpoint = endpoints[index] ?? endpoints[0]
    const known = this.#pool.get(endpoint)
    if (known?.credentials === credentials) return known
    if (known) retire(known)
    const client = new TalosClient({ ...endpoint, credentials, timeoutMs, signal, hook })
    const pooled: Pooled = { client, credentials, calls: 0, retired: false }
    this.#pool.set(endpoint, pooled)
    return pooled
  }
}

/** One call's hold on a connection. */
class Lease implements Disposable {
  readonly #pooled: Pooled
  readonly #onUnreachable: () => void

  constructor(pooled: Pooled, onUnreachable: () => void) {
    this.#pooled = pooled
    this.#onUnreachable = onUnreachable
    pooled.calls++
  }

  async use<T>(call: (client: TalosClient) => Promise<T>): Promise<T> {
    try {
      return await call(this.#pooled.client)
    } catch (error) {
      this.#note(error)
      throw error
    }
  }

  async *follow<T>(call: (client: TalosClient) => AsyncGenerator<T>): AsyncGenerator<T> {
    try {
      yield* call(this.#pooled.client)
    } catch (error) {
      this.#note(error)
      throw error
    }
  }

  [Symbol.dispose](): void {
    this.#pooled.calls--
    closeIfDone(this.#pooled)
  }

  #note(error: unknown): void {
    if (isClusterError(error, 'talos-unreachable')) this.#onUnreachable()
  }
}

function retire(pooled: Pooled): void {
  pooled.retired = true
  closeIfDone(pooled)
}

function closeIfDone({ client, calls, retired }: Pooled): void {
  if (retired && calls === 0) client.close()
}
