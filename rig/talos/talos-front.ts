import {
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Stream,
} from 'node:http2'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import type { Machine } from '../../src/sandbox/machine.ts'
import type { CertifiedKey } from '../../src/sandbox/pki.ts'
import { isServed } from '../../src/sandbox/talos/api/is-served.ts'
import { isReadOnly, mayCall } from '../../src/sandbox/talos/api/roles.ts'
import { pathOf, RpcError } from '../../src/sandbox/talos/api/rpc.ts'
import { talosPort } from '../../src/sandbox/talos/api/talos-port.ts'
import type { TalosVersion } from '../../src/sandbox/talos/talos-version.ts'
import type { World } from '../../src/sandbox/world.ts'
import { rigAddresses } from '../network/rig-addresses.ts'
import { forwardCall } from './forward-call.ts'
import { unframe } from './grpc-frames.ts'
import type { NodeIdentity } from './node-identity.ts'
import { createNodeTls } from './node-tls.ts'
import { type PassedRoles, passedRoles } from './passed-roles.ts'
import type { PlayedCall, PlayedNode } from './played-call.ts'
import { playedCalls } from './played-calls.ts'
import { refuse, sendAnswers } from './send-answers.ts'
import { callUpstream, openUpstream } from './upstream.ts'

export interface FrontedNode {
  readonly world: World
  readonly machine: Machine
  readonly version: TalosVersion
  /** Where the node's real API is reached. */
  readonly address: string
  /** Who it is now, and who signs for its Talos CA; undefined in maintenance. */
  identify(): Promise<{ identity: NodeIdentity; issuer: CertifiedKey } | undefined>
  hasTalos(version: TalosVersion): boolean
  wipe(partitions: readonly string[]): void
}

/** Who asks, and the connection to the node that has this caller's rights. */
interface Caller {
  readonly roles: ReadonlySet<string>
  readonly upstream: ClientHttp2Session
  readonly identity: NodeIdentity
}

type PassedCaller = Caller & PassedRoles

/**
 * Stands before the Talos API of a real node and passes on what it is asked, save for what Talos refuses
 * in a container, which the rig plays. In maintenance it passes on bytes. Towards a client it shows a
 * certificate of the node's own CA; towards the node it has the client's own rights, no more.
 */
export class TalosFront {
  readonly #node: FrontedNode
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #port = 0

  private constructor(node: FrontedNode) {
    this.#node = node
    this.#server = createServer((socket) => this.#accept(socket))
  }

  static async open(node: FrontedNode): Promise<TalosFront> {
    const front = new TalosFront(node)
    await new Promise<void>((resolve, reject) => {
      front.#server.once('error', reject)
      front.#server.listen(0, '0.0.0.0', resolve)
    })
    const address = front.#server.address()
    front.#port = typeof address === 'object' && address !== null ? address.port : 0
    return front
  }

  get port(): number {
    return this.#port
  }

  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((done) => this.#server.close(() => done()))
    this.cutAll()
    await closed
  }

  #accept(socket: Socket): void {
    this.#keep(socket)
    if (this.#node.world.log.isCut) return void socket.destroy()
    this.#node.world.background(async () => {
      const known = await this.#node.identify()
      if (known === undefined) this.#passBytes(socket)
      else this.#terminate(socket, known.identity, known.issuer)
    })
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #passBytes(socket: Socket): void {
    const upstream = connect({
      host: this.#node.address,
      port: talosPort,
      localAddress: rigAddresses.rig,
    })
    this.#keep(upstream)
    upstream.once('close', () => socket.destroy())
    socket.once('close', () => upstream.destroy())
    socket.pipe(upstream)
    upstream.pipe(socket)
  }

  #terminate(socket: Socket, identity: NodeIdentity, issuer: CertifiedKey): void {
    const tls = createNodeTls(this.#node.machine, identity, issuer)
    tls.on('tlsClientError', (_error, failed) => failed.destroy())
    tls.on('secureConnection', (secure) => this.#serve(secure, identity, issuer))
    tls.emit('connection', socket)
  }

  #serve(socket: TLSSocket, identity: NodeIdentity, issuer: CertifiedKey): void {
    socket.on('error', () => socket.destroy())
    const roles = rolesOf(socket)
    const upstream = openUpstream(this.#node.address, issuer, roles)
    socket.once('close', () => upstream.destroy())
    // A node that goes away, or has no API yet, takes its callers' connections with it.
    upstream.once('close', () => socket.destroy())
    upstream.once('connect', () => {
      const session = performServerHandshake(socket)
      session.on('error', () => socket.destroy())
      const caller: Caller = { roles: new Set(roles), upstream, identity }
      session.on('stream', (stream, headers) => {
        stream.on('error', () => stream.close())
        this.#node.world.background(() => this.#answer(stream, headers, caller))
      })
    })
  }

  async #answer(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    caller: Caller,
  ): Promise<void> {
    const { world, machine, version } = this.#node
    const path = headers[':path'] ?? ''
    const name = path.split('/')[2] ?? ''
    const pass = world.enter('talos', name, `/${machine.name}`, !isReadOnly(path))
    if (pass.dropped) return void stream.session?.destroy()
    const played = isServed(version, path) ? playedCalls.get(path) : undefined
    if (played === undefined || !this.#isAddressed(headers)) {
      forwardCall(stream, headers, caller.upstream)
      stream.once('close', () => void pass.leave())
      return
    }
    const passed = passedRoles(caller.roles, headers)
    const answers = mayCall(passed.roles, path)
      ? this.#play(stream, played, { ...caller, ...passed })
      : refuse(new RpcError(status.PERMISSION_DENIED, 'not authorized'))
    await sendAnswers(stream, answers, () => pass.leave())
  }

  async *#play(
    stream: ServerHttp2Stream,
    played: PlayedCall,
    caller: PassedCaller,
  ): AsyncIterable<Uint8Array> {
    const [request = Buffer.alloc(0)] = unframe(await readAll(stream))
    yield* played.run(request, this.#played(caller))
  }

  /** Whether a call is for this node itself, and not to be passed on to another. */
  #isAddressed(headers: IncomingHttpHeaders): boolean {
    const { node, nodes } = headers
    const wanted = [node, nodes]
      .flatMap((value) => String(value ?? '').split(','))
      .map((value) => value.trim())
      .filter((value) => value !== '')
    const { machine } = this.#node
    const own = [machine.publicIp, ...machine.privateIps, machine.name]
    return wanted.every((target) => own.includes(target))
  }

  #played({ upstream, identity, headers, passedOn }: PassedCaller): PlayedNode {
    const { world, machine, version, hasTalos, wipe } = this.#node
    const askAll = async <I extends DescMessage, O extends DescMessage>(
      method: DescMethodUnary<I, O> | DescMethodServerStreaming<I, O>,
      request: MessageInitShape<I>,
    ): Promise<MessageShape<O>[]> => {
      const bytes = toBinary(method.input, create(method.input, request))
      const answers = await callUpstream(upstream, pathOf(method), bytes, headers)
      return answers.map((answer) => fromBinary(method.output, answer))
    }
    return {
      world,
      machine,
      version,
      controlPlane: identity.controlPlane,
      passedOn,
      hasTalos,
      wipe,
      askAll,
      ask: async (method, request) => {
        const [answer] = await askAll(method, request)
        if (answer === undefined) throw new Error('no answer')
        return answer
      },
    }
  }
}

function rolesOf(socket: TLSSocket): string[] {
  const { O: organizations } = socket.getPeerCertificate().subject ?? {}
  if (organizations === undefined) return []
  return Array.isArray(organizations) ? organizations : [organizations]
}

async function readAll(stream: ServerHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
