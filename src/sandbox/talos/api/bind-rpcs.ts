import type { EventEmitter } from 'node:events'
import {
  type Metadata,
  type Server,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  status,
  type UntypedHandleCall,
} from '@grpc/grpc-js'
import type { TalosNode } from '../talos-node.ts'
import { answerCall, type IncomingCall } from './answer-call.ts'
import { type Rpc, RpcError } from './rpc.ts'
import { rpcs } from './rpcs.ts'

type SurfaceCall =
  | ServerUnaryCall<Buffer, Buffer>
  | ServerReadableStream<Buffer, Buffer>
  | ServerWritableStream<Buffer, Buffer>

const passThrough = (bytes: Buffer) => bytes

/** One definition for all nodes: it knows no message, since methods read and write bytes. */
const definition: ServiceDefinition = Object.fromEntries(
  rpcs.map((rpc) => [
    rpc.path,
    {
      path: rpc.path,
      requestStream: rpc.streamsRequests,
      responseStream: rpc.streamsAnswers,
      requestSerialize: passThrough,
      requestDeserialize: passThrough,
      responseSerialize: passThrough,
      responseDeserialize: passThrough,
    },
  ]),
)

/** Lets a gRPC server answer for a node. */
export function bindRpcs(server: Server, node: TalosNode): void {
  const handlers = rpcs.map((rpc): [string, UntypedHandleCall] => [rpc.path, bind(rpc, node)])
  server.addService(definition, Object.fromEntries(handlers))
}

function bind(rpc: Rpc, node: TalosNode): UntypedHandleCall {
  if (rpc.streamsAnswers) {
    return (call: ServerWritableStream<Buffer, Buffer>) => {
      void streamAnswers(rpc, node, call)
    }
  }
  if (rpc.streamsRequests) {
    return (call: ServerReadableStream<Buffer, Buffer>, callback: Callback) => {
      void answerOnce(rpc, incoming(node, call), call, callback)
    }
  }
  return (call: ServerUnaryCall<Buffer, Buffer>, callback: Callback) => {
    void answerOnce(rpc, incoming(node, call), only(call.request), callback)
  }
}

type Callback = (error: { code: status; details: string } | null, value?: Buffer) => void

async function answerOnce(
  rpc: Rpc,
  call: IncomingCall,
  requests: AsyncIterable<Uint8Array>,
  callback: Callback,
): Promise<void> {
  try {
    for await (const bytes of answerCall(rpc, requests, call)) callback(null, Buffer.from(bytes))
    call.answered()
  } catch (error) {
    callback(toStatus(error, call.node))
  }
}

async function streamAnswers(
  rpc: Rpc,
  node: TalosNode,
  stream: ServerWritableStream<Buffer, Buffer>,
): Promise<void> {
  const call = incoming(node, stream)
  try {
    for await (const bytes of answerCall(rpc, only(stream.request), call)) {
      if (call.signal.aborted) break
      if (!stream.write(Buffer.from(bytes))) await drained(stream, call.signal)
    }
    stream.end()
    call.answered()
  } catch (error) {
    stream.emit('error', toStatus(error, node))
  }
}

function incoming(node: TalosNode, call: SurfaceCall): IncomingCall {
  const gone = new AbortController()
  const emitter: EventEmitter = call
  emitter.on('cancelled', () => gone.abort())
  const after: (() => void)[] = []
  return {
    node,
    peer: call.getPeer(),
    roles: rolesOf(call),
    isProduct: /^hcloud-talos/.test(String(call.metadata.get('user-agent')[0] ?? '')),
    targets: targetsOf(call.metadata),
    signal: AbortSignal.any([gone.signal, node.signal]),
    afterAnswer: (run) => after.push(run),
    // What follows from a call (a reboot, say) waits until its answer has gone down to the socket.
    answered: () => {
      setImmediate(() => {
        for (const run of after.splice(0)) run()
      })
    },
  }
}

function rolesOf(call: SurfaceCall): Set<string> {
  const organizations = call.getAuthContext().sslPeerCertificate?.subject.O ?? []
  return new Set([organizations].flat())
}

function targetsOf(metadata: Metadata): IncomingCall['targets'] {
  const texts = (key: string) =>
    metadata
      .get(key)
      .flatMap((value) => value.toString().split(','))
      .map((value) => value.trim())
  const [nodes, node] = [texts('nodes'), texts('node')]
  if (nodes.length > 0) return { kind: 'many', addresses: nodes }
  return node.length > 0 ? { kind: 'one', addresses: node } : { kind: 'local', addresses: [] }
}

function toStatus(error: unknown, node: TalosNode): { code: status; details: string } {
  if (error instanceof RpcError) return { code: error.code, details: error.message }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (!node.signal.aborted) node.world.contractErrors.push(`talos on ${node.name} failed: ${text}`)
  return { code: status.INTERNAL, details: 'the sandbox failed' }
}

async function* only(request: Buffer): AsyncIterable<Uint8Array> {
  yield request
}

function drained(stream: ServerWritableStream<Buffer, Buffer>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    stream.once('drain', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
