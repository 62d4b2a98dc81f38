import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodBiDiStreaming,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { type Client, status } from '@grpc/grpc-js'
import { credentialEnds, type TalosCredentials } from '../config/talosconfig.ts'
import { type BegunCall, beginCall } from './begin-call.ts'
import type { CallHook } from './call-hook.ts'
import { openMaintenance, openMutualTls } from './channel.ts'
import { sendRequests } from './send-requests.ts'
import type { CallOptions, Requests, TalosConnection } from './talos-caller.ts'
import { type CertificateEnd, translateFailure } from './talos-status.ts'

export const talosPort = 50_000

export interface TalosClientOptions {
  /** The node's own address or name, never a load balancer's. */
  readonly address: string
  readonly port?: number | undefined
  /** Absent for a node in maintenance, which is then not verified either. */
  readonly credentials?: TalosCredentials | undefined
  /**
   * For a node in maintenance whose key is known from before (see probeNode): base64 SHA-256 of it. A
   * node that shows another is `talos-identity`, before anything is sent to it.
   */
  readonly fingerprint?: string | undefined
  /** Ends every call of this client. */
  readonly signal?: AbortSignal | undefined
  /** How long one call may take, in milliseconds, unless it says otherwise; 15 s. */
  readonly timeoutMs?: number | undefined
  readonly hook?: CallHook | undefined
}

const defaultTimeout = 15_000

/**
 * One connection to one node's Talos API. It opens with the first call and again by itself when the
 * node was away; `close` (or `using`) ends it. It tries nothing twice.
 */
export class TalosClient implements TalosConnection, Disposable {
  readonly address: string
  readonly #client: Client
  readonly #close: () => void
  readonly #timeoutMs: number
  readonly #signal: AbortSignal | undefined
  readonly #hook: CallHook | undefined
  readonly #ends: readonly CertificateEnd[]

  constructor(options: TalosClientOptions) {
    const { address, port = talosPort, credentials, fingerprint } = options
    this.address = `${address}:${port}`
    this.#timeoutMs = options.timeoutMs ?? defaultTimeout
    this.#signal = options.signal
    this.#hook = options.hook
    this.#ends = credentials ? credentialEnds(credentials) : []
    const channel = credentials
      ? openMutualTls(address, port, credentials)
      : openMaintenance(address, port, fingerprint)
    this.#client = channel.client
    this.#close = () => channel.close()
  }

  unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    return new Promise((resolve, reject) => {
      const begun = this.#begin(method, options)
      const { signal } = begun
      if (signal?.aborted) return reject(begun.fail(signal.reason))
      const call = this.#client.makeUnaryRequest(
        begun.path,
        serialize(method.input),
        deserialize(method.output),
        create(method.input, request),
        begun.metadata,
        begun.callOptions,
        (error, answer) => {
          signal?.removeEventListener('abort', cancel)
          if (answer === undefined || error !== null) return reject(begun.fail(error))
          begun.receive()
          begun.succeed()
          resolve(answer)
        },
      )
      const cancel = () => call.cancel()
      signal?.addEventListener('abort', cancel, { once: true })
    })
  }

  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const begun = this.#begin(method, options)
    const call = this.#client.makeServerStreamRequest(
      begun.path,
      serialize(method.input),
      deserialize(method.output),
      create(method.input, request),
      begun.metadata,
      begun.callOptions,
    )
    yield* begun.answers(call)
  }

  async upload<I extends DescMessage, O extends DescMessage>(
    method: DescMethodClientStreaming<I, O>,
    requests: Requests<MessageInitShape<I>>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    const begun = this.#begin(method, options)
    // On the wire every call is a stream of messages in either direction.
    const call = this.#client.makeBidiStreamRequest(
      begun.path,
      serialize(method.input),
      deserialize(method.output),
      begun.metadata,
      begun.callOptions,
    )
    const sent = sendRequests(call, method.input, requests)
    for await (const answer of begun.answers(call, sent)) return answer
    throw translateFailure(
      { code: status.INTERNAL, details: 'an empty answer' },
      { method: method.name, address: this.address },
    )
  }

  async *duplex<I extends DescMessage, O extends DescMessage>(
    method: DescMethodBiDiStreaming<I, O>,
    requests: Requests<MessageInitShape<I>>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const begun = this.#begin(method, options)
    const call = this.#client.makeBidiStreamRequest(
      begun.path,
      serialize(method.input),
      deserialize(method.output),
      begun.metadata,
      begun.callOptions,
    )
    yield* begun.answers(call, sendRequests(call, method.input, requests))
  }

  /**
   * Resolves when there is a connection, and throws `talos-unreachable` or `talos-identity` when there is
   * none after `timeoutMs` milliseconds. Nothing was asked of the node either way.
   */
  connect(timeoutMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#client.waitForReady(Date.now() + timeoutMs, (error) => {
      if (!error) return resolve()
      const details = `no connection within ${timeoutMs / 1_000} s`
      const target = { method: 'connect', address: this.address }
      reject(translateFailure({ code: status.UNAVAILABLE, details }, target))
    })
    return promise
  }

  /** Throws the signal's reason once this client was asked to stop. */
  throwIfAborted(): void {
    this.#signal?.throwIfAborted()
  }

  close(): void {
    this.#close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #begin(method: DescMethod, options: CallOptions): BegunCall {
    return beginCall(method, options, {
      address: this.address,
      timeoutMs: this.#timeoutMs,
      signal: this.#signal,
      hook: this.#hook,
      ends: this.#ends,
    })
  }
}

function serialize<D extends DescMessage>(schema: D): (message: MessageShape<D>) => Buffer {
  return (message) => Buffer.from(toBinary(schema, message))
}

function deserialize<D extends DescMessage>(schema: D): (bytes: Uint8Array) => MessageShape<D> {
  return (bytes) => fromBinary(schema, bytes)
}
