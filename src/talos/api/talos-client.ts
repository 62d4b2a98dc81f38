import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import {
  type Client,
  type ClientWritableStream,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import type { TalosCredentials } from '../config/talosconfig.ts'
import { openMaintenance, openMutualTls } from './channel.ts'
import { TalosStatus, translateFailure } from './talos-status.ts'

export const talosPort = 50_000

export interface TalosClientOptions {
  /** The node's own address or name, never a load balancer's. */
  readonly address: string
  readonly port?: number | undefined
  /** Absent for a node in maintenance, which is then not verified either. */
  readonly credentials?: TalosCredentials | undefined
  /** Ends every call of this client. */
  readonly signal?: AbortSignal | undefined
  /** How long one call may take, in milliseconds, unless it says otherwise; 15 s. */
  readonly timeoutMs?: number | undefined
}

export interface CallOptions {
  /** How long this call may take, in milliseconds; a stream's whole length. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const defaultTimeout = 15_000

/**
 * One connection to one node's Talos API. It opens with the first call and again by itself when the
 * node was away; `close` (or `using`) ends it. Failures are `talos-unreachable`, `talos-identity` or
 * `talos-refused`, with the gRPC status as their cause; an abort throws the signal's reason.
 */
export class TalosClient implements Disposable {
  readonly address: string
  readonly #client: Client
  readonly #timeoutMs: number
  readonly #signal: AbortSignal | undefined

  constructor(options: TalosClientOptions) {
    const { address, port = talosPort, credentials } = options
    this.address = `${address}:${port}`
    this.#timeoutMs = options.timeoutMs ?? defaultTimeout
    this.#signal = options.signal
    this.#client = credentials
      ? openMutualTls(address, port, credentials)
      : openMaintenance(address, port)
  }

  /** Asks once and returns the answer. */
  unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    return new Promise((resolve, reject) => {
      const signal = this.#signalOf(options)
      if (signal?.aborted) return reject(signal.reason)
      const call = this.#client.makeUnaryRequest(
        pathOf(method),
        (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
        (bytes) => fromBinary(method.output, bytes),
        create(method.input, request),
        new Metadata(),
        { deadline: this.#deadline(options) },
        (error, answer) => {
          signal?.removeEventListener('abort', cancel)
          if (answer !== undefined && error === null) return resolve(answer)
          reject(this.#failure(method, error, signal))
        },
      )
      const cancel = () => call.cancel()
      signal?.addEventListener('abort', cancel, { once: true })
    })
  }

  /** Asks once and yields the answers as they come; leaving the loop ends the call. */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const signal = this.#signalOf(options)
    signal?.throwIfAborted()
    const call = this.#client.makeServerStreamRequest(
      pathOf(method),
      (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
      (bytes) => fromBinary(method.output, bytes),
      create(method.input, request),
      new Metadata(),
      { deadline: this.#deadline(options) },
    )
    // The end of a cancelled call arrives when nobody listens any more; it is no failure then.
    call.on('error', () => undefined)
    const cancel = () => call.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      for await (const message of call) yield message
    } catch (error) {
      throw this.#failure(method, error, signal)
    } finally {
      signal?.removeEventListener('abort', cancel)
      call.cancel()
    }
  }

  /** Sends many and returns the one answer. A failure of `requests` ends the call and is thrown. */
  async upload<I extends DescMessage, O extends DescMessage>(
    method: DescMethodClientStreaming<I, O>,
    requests: AsyncIterable<MessageInitShape<I>>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    const signal = this.#signalOf(options)
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<MessageShape<O>>()
    const call = this.#client.makeClientStreamRequest(
      pathOf(method),
      (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
      (bytes) => fromBinary(method.output, bytes),
      new Metadata(),
      { deadline: this.#deadline(options) },
      (error, answer) => {
        if (answer !== undefined && error === null) return resolve(answer)
        reject(this.#failure(method, error, signal))
      },
    )
    const cancel = () => call.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await Promise.race([promise, sendAll(call, method.input, requests, promise)])
    } finally {
      signal?.removeEventListener('abort', cancel)
      call.cancel()
    }
  }

  /** Throws the signal's reason once this client was told to stop. */
  throwIfAborted(): void {
    this.#signal?.throwIfAborted()
  }

  close(): void {
    this.#client.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #signalOf({ signal }: CallOptions): AbortSignal | undefined {
    if (signal === undefined || this.#signal === undefined) return signal ?? this.#signal
    return AbortSignal.any([signal, this.#signal])
  }

  #deadline({ timeoutMs = this.#timeoutMs }: CallOptions): number {
    return Date.now() + timeoutMs
  }

  #failure(method: DescMethod, error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason
    const target = { method: method.name, address: this.address }
    if (isServiceError(error)) return translateFailure(error, target)
    if (error === null) {
      return translateFailure({ code: status.INTERNAL, details: 'an empty answer' }, target)
    }
    return error
  }
}

/** Sends no faster than it is taken, then waits for the answer; stops when that comes before the end. */
async function sendAll<I extends DescMessage, A>(
  call: Pick<ClientWritableStream<MessageShape<I>>, 'write' | 'end' | 'once'>,
  schema: I,
  requests: AsyncIterable<MessageInitShape<I>>,
  answered: Promise<A>,
): Promise<A> {
  let isOver = false
  const over = answered.then(
    () => {
      isOver = true
    },
    () => {
      isOver = true
    },
  )
  for await (const request of requests) {
    if (isOver) return answered
    if (call.write(create(schema, request))) continue
    await Promise.race([new Promise<void>((drained) => call.once('drain', drained)), over])
  }
  call.end()
  return answered
}

/** For methods that answer with one message per node: that of the one node that was asked. */
export function onlyMessage<T extends { metadata?: { error: string } | undefined }>(
  messages: readonly T[],
  { method, address }: { method: string; address: string },
): T {
  const [message] = messages
  if (message === undefined) {
    const details = 'an answer without a message'
    throw translateFailure({ code: status.INTERNAL, details }, { method, address })
  }
  const error = message.metadata?.error ?? ''
  if (error !== '') {
    throw translateFailure({ code: status.UNKNOWN, details: error }, { method, address })
  }
  return message
}

function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`
}

function isServiceError(error: unknown): error is ServiceError {
  return (
    error instanceof Error &&
    !(error instanceof TalosStatus) &&
    'code' in error &&
    typeof error.code === 'number' &&
    'details' in error &&
    typeof error.details === 'string'
  )
}
