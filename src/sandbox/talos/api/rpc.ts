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
import type { status } from '@grpc/grpc-js'
import type { TalosNode } from '../talos-node.ts'

/** What a call is answered with instead of a message. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: status

  constructor(code: status, message: string) {
    super(message)
    this.code = code
  }
}

/** One call, as the node that answers it sees it. */
export interface Call {
  readonly node: TalosNode
  /** `/machine.MachineService/Version`. */
  readonly path: string
  readonly roles: ReadonlySet<string>
  /** Whether the product calls, and not a hand of a test. */
  readonly isProduct: boolean
  /** Address and port of the caller. */
  readonly peer: string
  /** Aborted when the caller went away, or the node that was dialled went down. */
  readonly signal: AbortSignal
  /** Runs when the answer is out. */
  afterAnswer(run: () => void): void
}

/** A method over the bytes of its messages. */
export interface Rpc {
  readonly path: string
  readonly streamsRequests: boolean
  readonly streamsAnswers: boolean
  run(requests: AsyncIterable<Uint8Array>, call: Call): AsyncIterable<Uint8Array>
}

/** A method that answers one message with another. */
export function unary<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  answer: (
    request: MessageShape<I>,
    call: Call,
  ) => Promise<MessageInitShape<O>> | MessageInitShape<O>,
): Rpc {
  return {
    path: pathOf(method),
    streamsRequests: false,
    streamsAnswers: false,
    async *run(requests, call) {
      const request = read(method.input, await only(requests), call)
      yield toBinary(method.output, create(method.output, await answer(request, call)))
    },
  }
}

/** A method that answers one message with many. */
export function serverStream<I extends DescMessage, O extends DescMessage>(
  method: DescMethodServerStreaming<I, O>,
  answer: (request: MessageShape<I>, call: Call) => AsyncIterable<MessageInitShape<O>>,
): Rpc {
  return {
    path: pathOf(method),
    streamsRequests: false,
    streamsAnswers: true,
    async *run(requests, call) {
      const request = read(method.input, await only(requests), call)
      for await (const message of answer(request, call)) {
        yield toBinary(method.output, create(method.output, message))
      }
    },
  }
}

/** A method that answers many messages with one. */
export function clientStream<I extends DescMessage, O extends DescMessage>(
  method: DescMethodClientStreaming<I, O>,
  answer: (requests: AsyncIterable<MessageShape<I>>, call: Call) => Promise<MessageInitShape<O>>,
): Rpc {
  return {
    path: pathOf(method),
    streamsRequests: true,
    streamsAnswers: false,
    async *run(requests, call) {
      const message = await answer(readAll(method.input, requests, call), call)
      yield toBinary(method.output, create(method.output, message))
    },
  }
}

async function* readAll<D extends DescMessage>(
  schema: D,
  encoded: AsyncIterable<Uint8Array>,
  call: Call,
): AsyncIterable<MessageShape<D>> {
  for await (const bytes of encoded) yield read(schema, bytes, call)
}

/** Strict: a field that the message does not have is noted, though a real node would pass over it. */
function read<D extends DescMessage>(schema: D, bytes: Uint8Array, call: Call): MessageShape<D> {
  const message = fromBinary(schema, bytes)
  for (const { no } of message.$unknown ?? []) {
    call.node.world.contractErrors.push(`${call.path}: unknown field ${no} of ${schema.typeName}`)
  }
  return message
}

/** `/machine.MachineService/Version`. */
export function pathOf(method: {
  readonly parent: { readonly typeName: string }
  readonly name: string
}): string {
  return `/${method.parent.typeName}/${method.name}`
}

async function only(messages: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  for await (const message of messages) return message
  throw new Error('a call without a request')
}
