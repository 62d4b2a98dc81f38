import type { IncomingMessage, ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { World } from '../../world.ts'
import type { ApiContext } from '../api/api-context.ts'
import { ApiError } from '../model/api-error.ts'
import type { ApiReply, ApiRequest } from './api-request.ts'
import { authenticate } from './authenticate.ts'
import { handleRequest } from './handle-request.ts'
import { faultError } from './play-fault.ts'

/** What turns requests of the wire into answers of the API, through the world's gate. */
export function apiListener(
  world: World,
  context: ApiContext,
  version: string,
): (message: IncomingMessage, response: ServerResponse) => void {
  return (message, response) => {
    respond(world, context, version, message, response).catch((error: unknown) => {
      if (!response.destroyed && !world.signal.aborted) {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
        world.contractErrors.push(
          `the Kubernetes API failed at ${message.method} ${message.url}: ${text}`,
        )
      }
      response.destroy()
    })
  }
}

async function respond(
  world: World,
  context: ApiContext,
  version: string,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(message.url ?? '/', 'https://kubernetes')
  const method = message.method ?? 'GET'
  const pass = world.enter('kubernetes', method, url.pathname)
  if (pass.dropped) {
    response.destroy()
    return
  }
  const reply = await answer(context, version, message, url, {
    fault: faultError(pass.fault),
    now: world.calendar.now(),
  })
  if (!(await pass.leave())) response.destroy()
  else if ('stream' in reply) reply.stream(response)
  else send(response, reply)
}

async function answer(
  context: ApiContext,
  version: string,
  message: IncomingMessage,
  url: URL,
  { fault, now }: { readonly fault: ApiError | undefined; readonly now: number },
): Promise<ApiReply> {
  const body = await readBody(message)
  try {
    const { socket } = message
    if (!(socket instanceof TLSSocket)) throw new Error('the API is served over TLS only')
    const user = authenticate(socket, now)
    if (fault) throw fault
    const request: ApiRequest = {
      method: message.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body,
      contentType: message.headers['content-type'] ?? '',
      accept: message.headers.accept ?? '',
      userAgent: message.headers['user-agent'] ?? '',
      user,
    }
    return handleRequest(context, request, version)
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, json: error.status }
    throw error
  }
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, reply: Exclude<ApiReply, { stream: unknown }>): void {
  if ('text' in reply) {
    response.writeHead(reply.code, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(reply.text)
    return
  }
  const { code, json, contentType = 'application/json', warnings = [] } = reply
  response.setHeader('content-type', contentType)
  response.setHeader('cache-control', 'no-cache, private')
  if (code === 429 || code === 503) response.setHeader('retry-after', '1')
  if (warnings.length > 0) {
    const lines = warnings.map((text) => `299 - ${JSON.stringify(text)}`)
    response.setHeader('warning', lines)
  }
  response.writeHead(code)
  response.end(JSON.stringify(json))
}
