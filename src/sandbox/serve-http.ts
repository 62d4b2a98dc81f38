import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { RequestPass } from './request-log.ts'
import type { World } from './world.ts'

export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly authorization: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string
  readonly text: string
  readonly body: Buffer
  /** A fault that the front has to play. */
  readonly fault: RequestPass['fault']
}

export interface HttpAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** Announces the whole body and breaks off half way. */
  readonly broken?: boolean
}

export interface HttpFront {
  /** Its name in the world's log of requests. */
  readonly name: string
  /** 0, or absent, for any free one. */
  readonly port?: number | undefined
  /** Where it listens; 127.0.0.1 where absent. */
  readonly address?: string | undefined
  /** What its paths begin with; left out of the log. */
  readonly prefix?: string
  readonly answer: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>
}

/**
 * Serves plain HTTP, on 127.0.0.1 by default, until the world closes. Every request passes the world's gate first;
 * what its faults say about connections is done here.
 */
export async function serveHttp(
  world: World,
  front: HttpFront,
): Promise<{ url: string; close(): Promise<void> }> {
  const { address: host = '127.0.0.1' } = front
  const server = createServer((request, response) => {
    world.background(async () => {
      try {
        await serve(request, response)
      } catch (error) {
        response.destroy()
        throw error
      }
    })
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(front.port ?? 0, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const base = `http://${host}:${port}`
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  world.onClose(close)
  return { url: base, close }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', socket, headers } = request
    const body = await readBody(request)
    const url = new URL(request.url ?? '/', base)
    const path = url.pathname.slice(front.prefix?.length ?? 0)
    const pass = world.enter(front.name, method, path)
    if (pass.dropped) return void socket.destroy()
    const answer = await front.answer({
      method,
      url,
      text: body.toString('utf8'),
      body,
      headers,
      authorization: headers.authorization,
      remoteAddress: socket.remoteAddress?.replace(/^::ffff:/, '') ?? '',
      fault: pass.fault,
    })
    if (!(await pass.leave())) return void socket.destroy()
    response.setHeader('Date', new Date(world.calendar.now()).toUTCString())
    send(response, answer, method)
  }
}

function send(response: ServerResponse, answer: HttpAnswer, method: string): void {
  const { status, headers, body, broken } = answer
  if (body === undefined || method === 'HEAD') {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    response.writeHead(status, { ...headers, ...length }).end()
    return
  }
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length })
  if (broken) response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  else response.end(bytes)
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
