import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js'
import { issueKey } from '../../src/sandbox/pki.ts'
import { State } from '../../src/talos/api/gen/cosi/state_pb.js'
import { MachineService } from '../../src/talos/api/gen/machine/machine_pb.js'
import type { SecretsBundle } from '../../src/talos/config/secrets-bundle.ts'

/** Thrown by an answer: the status that the node answers with. */
export class Refusal extends Error {
  readonly code: status
  constructor(code: status, message: string) {
    super(message)
    this.code = code
  }
}

/** What a test node does when one of its methods is called. */
export interface Answer {
  readonly bind: (server: { add: BindAnswer }) => void
}
type BindAnswer = (
  method: DescMethod,
  handle: (bytes: Uint8Array) => AsyncIterable<Uint8Array>,
) => void

/** An answer to a method that answers once. */
export function answer<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  run: (request: MessageShape<I>) => MessageInitShape<O> | Promise<MessageInitShape<O>>,
): Answer {
  return {
    bind: ({ add }) =>
      add(method, async function* (bytes) {
        const reply = await run(fromBinary(method.input, bytes))
        yield toBinary(method.output, create(method.output, reply))
      }),
  }
}

/** An answer to a method that streams. */
export function answerStream<I extends DescMessage, O extends DescMessage>(
  method: DescMethodServerStreaming<I, O>,
  run: (request: MessageShape<I>) => AsyncIterable<MessageInitShape<O>>,
): Answer {
  return {
    bind: ({ add }) =>
      add(method, async function* (bytes) {
        for await (const reply of run(fromBinary(method.input, bytes))) {
          yield toBinary(method.output, create(method.output, reply))
        }
      }),
  }
}

export interface TestNodeOptions {
  /** Absent for a node in maintenance: it shows a throw-away certificate and wants none. */
  readonly secrets?: SecretsBundle
  readonly answers: readonly Answer[]
  readonly port?: number
  /** The address that its certificate is for; 127.0.0.1. */
  readonly certifiedFor?: string
}

/** A Talos API on loopback that answers what the test says, over real TLS. */
export interface TestNode extends AsyncDisposable {
  readonly port: number
  /** Names of the methods that were called, in order. */
  readonly calls: string[]
  /** Whom each was to be passed on to. */
  readonly headers: Readonly<Record<string, string>>[]
}

export async function startTestNode(options: TestNodeOptions): Promise<TestNode> {
  const server = new Server()
  const calls: string[] = []
  const headers: Record<string, string>[] = []
  const note = ({ name }: DescMethod, metadata: Metadata) => {
    calls.push(name)
    const node = metadata.get('node').join()
    headers.push(node === '' ? {} : { node })
  }
  for (const { bind } of options.answers) {
    bind({ add: (method, handle) => register(server, method, handle, note) })
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${options.port ?? 0}`, credentialsOf(options), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  return {
    port,
    calls,
    headers,
    async [Symbol.asyncDispose]() {
      server.forceShutdown()
    },
  }
}

function credentialsOf({
  secrets,
  certifiedFor = '127.0.0.1',
}: TestNodeOptions): ServerCredentials {
  const usages = ['serverAuth'] as const
  if (secrets === undefined) {
    const { crt, key } = issueKey('ed25519', { subject: { commonName: 'maintenance' }, usages })
    return ServerCredentials.createSsl(
      null,
      [{ cert_chain: Buffer.from(crt), private_key: Buffer.from(key) }],
      false,
    )
  }
  const { os } = secrets.certs
  const { crt, key } = issueKey('ed25519', {
    subject: { commonName: 'node' },
    issuer: os,
    usages,
    ipAddresses: [certifiedFor],
  })
  return ServerCredentials.createSsl(
    Buffer.from(os.crt),
    [{ cert_chain: Buffer.from(crt), private_key: Buffer.from(key) }],
    true,
  )
}

function register(
  server: Server,
  method: DescMethod,
  handle: (bytes: Uint8Array) => AsyncIterable<Uint8Array>,
  note: (method: DescMethod, metadata: Metadata) => void,
): void {
  const path = `/${method.parent.typeName}/${method.name}`
  const identity = (bytes: Buffer) => bytes
  const streams = method.methodKind === 'server_streaming'
  server.register(
    path,
    streams
      ? (call: ServerWritableStream<Buffer, Buffer>) => {
          note(method, call.metadata)
          void serveStream(call, handle)
        }
      : (call: ServerUnaryCall<Buffer, Buffer>, reply: UnaryReply) => {
          note(method, call.metadata)
          void serveUnary(call, handle, reply)
        },
    identity,
    identity,
    streams ? 'serverStream' : 'unary',
  )
}

type UnaryReply = (error: { code: status; details: string } | null, value?: Buffer | null) => void

async function serveUnary(
  call: ServerUnaryCall<Buffer, Buffer>,
  handle: (bytes: Uint8Array) => AsyncIterable<Uint8Array>,
  reply: UnaryReply,
): Promise<void> {
  try {
    for await (const bytes of handle(call.request)) reply(null, Buffer.from(bytes))
  } catch (error) {
    reply(statusOf(error))
  }
}

async function serveStream(
  call: ServerWritableStream<Buffer, Buffer>,
  handle: (bytes: Uint8Array) => AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    for await (const bytes of handle(call.request)) {
      if (call.cancelled) return
      call.write(Buffer.from(bytes))
    }
    call.end()
  } catch (error) {
    call.emit('error', { ...statusOf(error), metadata: new Metadata() })
  }
}

function statusOf(error: unknown): { code: status; details: string } {
  return error instanceof Refusal
    ? { code: error.code, details: error.message }
    : { code: status.INTERNAL, details: String(error) }
}

/** COSI Get for a machine at a stage. */
export function answerStage(stage: () => string): Answer {
  return answer(State.method.get, ({ type, id }) => {
    if (type !== 'MachineStatuses.runtime.talos.dev') {
      throw new Refusal(status.NOT_FOUND, `no ${type}/${id}`)
    }
    return {
      resource: {
        metadata: { type, id },
        spec: {
          yamlSpec: `stage: ${stage()}\nstatus:\n    ready: true\n    unmetConditions: []\n`,
        },
      },
    }
  })
}

export function answerVersion(tag: () => string): Answer {
  return answer(MachineService.method.version, () => ({
    messages: [{ version: { tag: tag(), arch: 'amd64' }, platform: { name: 'hcloud' } }],
  }))
}

export function answerBootId(id: () => string): Answer {
  return answerStream(MachineService.method.read, async function* ({ path }) {
    if (path !== '/proc/sys/kernel/random/boot_id') throw new Refusal(status.NOT_FOUND, path)
    yield { bytes: Buffer.from(`${id()}\n`) }
  })
}
