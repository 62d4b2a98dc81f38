import {
  create,
  type DescMessage,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { CertifiedKey } from '../../../src/sandbox/pki.ts'

export interface CallOptions {
  readonly node?: string
  readonly nodes?: string
  readonly deadlineMs?: number
}

/** A plain gRPC client of the tests: it knows the messages, and nothing about Talos. */
export class TalosClient {
  readonly #client: Client

  /** Without `identity` it asks for no certificate and shows none, as one does in maintenance mode. */
  constructor(address: string, identity?: { readonly ca: string; readonly client: CertifiedKey }) {
    const secure =
      identity === undefined
        ? credentials.createSsl(null, null, null, { rejectUnauthorized: false })
        : credentials.createSsl(
            Buffer.from(identity.ca),
            Buffer.from(identity.client.key),
            Buffer.from(identity.client.crt),
          )
    this.#client = new Client(`${address}:50000`, secure, {
      'grpc.max_reconnect_backoff_ms': 50,
      'grpc.initial_reconnect_backoff_ms': 20,
      'grpc.use_local_subchannel_pool': 1,
    })
  }

  unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest<Buffer, MessageShape<O>>(
        pathOf(method),
        (bytes) => bytes,
        (bytes) => fromBinary(method.output, bytes),
        encode(method.input, request),
        metadataOf(options),
        { deadline: deadlineOf(options) },
        (error, answer) => {
          if (error) reject(error)
          else if (answer === undefined) reject(new Error('no answer'))
          else resolve(answer)
        },
      )
    })
  }

  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): AsyncIterable<MessageShape<O>> {
    const call = this.#client.makeServerStreamRequest<Buffer, MessageShape<O>>(
      pathOf(method),
      (bytes) => bytes,
      (bytes) => fromBinary(method.output, bytes),
      encode(method.input, request),
      metadataOf(options),
      { deadline: deadlineOf(options) },
    )
    try {
      yield* call
    } finally {
      call.on('error', () => {})
      call.cancel()
    }
  }

  upload<I extends DescMessage, O extends DescMessage>(
    method: DescMethodClientStreaming<I, O>,
    requests: readonly MessageInitShape<I>[],
  ): Promise<MessageShape<O>> {
    return new Promise((resolve, reject) => {
      const call = this.#client.makeClientStreamRequest<Buffer, MessageShape<O>>(
        pathOf(method),
        (bytes) => bytes,
        (bytes) => fromBinary(method.output, bytes),
        new Metadata(),
        { deadline: deadlineOf({}) },
        (error, answer) => {
          if (error) reject(error)
          else if (answer === undefined) reject(new Error('no answer'))
          else resolve(answer)
        },
      )
      for (const request of requests) call.write(encode(method.input, request))
      call.end()
    })
  }

  close(): void {
    this.#client.close()
  }
}

export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of stream) all.push(item)
  return all
}

/** `PERMISSION_DENIED: not authorized`; throws where the call did not fail. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    if (isServiceError(error)) return `${status[error.code]}: ${error.details}`
    throw error
  }
  throw new Error('the call did not fail')
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error
}

function encode<D extends DescMessage>(schema: D, request: MessageInitShape<D>): Buffer {
  return Buffer.from(toBinary(schema, create(schema, request)))
}

function pathOf(method: { readonly parent: { readonly typeName: string }; readonly name: string }) {
  return `/${method.parent.typeName}/${method.name}`
}

function metadataOf({ node, nodes }: CallOptions): Metadata {
  const metadata = new Metadata()
  if (node !== undefined) metadata.set('node', node)
  if (nodes !== undefined) metadata.set('nodes', nodes)
  return metadata
}

function deadlineOf({ deadlineMs = 10_000 }: CallOptions): Date {
  return new Date(Date.now() + deadlineMs)
}
