import { Agent, request as httpsRequest } from 'node:https'
import { readBoundedText, TooLarge } from '../lib/bounded-bytes.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { Json } from '../lib/json.ts'
import type { Renewed } from '../lib/renewed.ts'
import { RenewedConnection } from '../lib/renewed-connection.ts'
import { ApiRefusal } from './api-refusal.ts'
import { DialledAgent } from './dialled-agent.ts'
import type { ApiConnection } from './kubeconfig.ts'

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: Json
  readonly contentType?: string
  readonly accept?: string
  /** What is being done and to whom, for messages: `apply`, `DaemonSet kube-system/cilium`. */
  readonly operation: string
  readonly target: string
}

/** No answer came. */
export class ApiUnreachable extends ClusterError {
  /** Whether nothing of the request can have arrived: there was no connection. */
  readonly isUnsent: boolean

  constructor(
    message: string,
    { isUnsent, ...context }: ConstructorParameters<typeof ClusterError>[2] & { isUnsent: boolean },
  ) {
    super('kubernetes-unreachable', message, context)
    this.isUnsent = isUnsent
  }
}

/** How long a connection may take, in milliseconds: a server that is off does not answer at all. */
const connectMs = 10_000
/** The pods of the largest cluster, in one list, have some tens of megabytes. */
const mostBytes = 256 << 20

/** One attempt at one request: what came back, or `kubernetes-refused` (an `ApiRefusal`), or `kubernetes-unreachable`. */
export interface ApiTransport {
  send(request: ApiRequest, signal?: AbortSignal): Promise<Json>
  close(): void
}

/** Talks to one API server over kept-alive TLS connections; each attempt ends after `timeoutMs`. */
export function createTransport(
  connection: ApiConnection,
  timeoutMs: number,
  largest = mostBytes,
): ApiTransport {
  const options = { ...connection.tls, keepAlive: true, maxSockets: 16 }
  const { dial } = connection
  const agent = dial === undefined ? new Agent(options) : new DialledAgent(options, dial)
  const limits = { timeoutMs, mostBytes: largest }
  return {
    send: (request, signal) => send(connection, agent, request, limits, signal),
    close: () => agent.destroy(),
  }
}

/** The same with credentials that are renewed: each attempt has those that are good then. */
export function renewedTransport(
  connections: Renewed<ApiConnection>,
  timeoutMs: number,
): ApiTransport {
  const transport = new RenewedConnection(connections, (connection) =>
    createTransport(connection, timeoutMs),
  )
  return {
    async send(request, signal) {
      using held = await transport.hold()
      return await held.connection.send(request, signal)
    },
    close: () => transport[Symbol.dispose](),
  }
}

interface Limits {
  readonly timeoutMs: number
  readonly mostBytes: number
}

async function send(
  connection: ApiConnection,
  agent: Agent,
  request: ApiRequest,
  limits: Limits,
  signal: AbortSignal | undefined,
): Promise<Json> {
  const { timeoutMs, mostBytes } = limits
  const timeout = AbortSignal.timeout(timeoutMs)
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)
  const headers = {
    ...connection.headers,
    accept: request.accept ?? 'application/json',
    'user-agent': 'hcloud-talos',
    ...(body === undefined
      ? {}
      : {
          'content-type': request.contentType ?? 'application/json',
          // Node sends neither a length nor chunks for a DELETE; the API server then answers 400 and
          // the rest of the connection is garbage.
          'content-length': String(Buffer.byteLength(body)),
        }),
  }
  let isUnsent = true
  try {
    const answer = await exchange(urlOf(connection, request), {
      method: request.method,
      headers,
      agent,
      signal: either,
      body,
      mostBytes,
      onConnected: () => {
        isUnsent = false
      },
    })
    return readAnswer(request, answer)
  } catch (error) {
    if (error instanceof ClusterError) throw error
    signal?.throwIfAborted()
    if (error instanceof TooLarge) throw tooLarge(connection, request, error)
    const cause = timeout.aborted ? `no answer in ${timeoutMs} ms` : error
    throw unreachable(connection, request, { cause, isUnsent })
  }
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | undefined
}

function exchange(
  url: URL,
  options: {
    method: string
    headers: Record<string, string>
    agent: Agent
    signal: AbortSignal
    body: string | undefined
    mostBytes: number
    onConnected: () => void
  },
): Promise<Answer> {
  const { body, mostBytes, onConnected, ...rest } = options
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest(url, rest, (incoming) => {
      readBoundedText(incoming, mostBytes).then(
        (text) =>
          resolve({
            status: incoming.statusCode ?? 0,
            text,
            retryAfter: incoming.headers['retry-after'],
          }),
        reject,
      )
    })
    outgoing.on('error', reject)
    outgoing.on('socket', (socket) => {
      if (outgoing.reusedSocket) return onConnected()
      const late = setTimeout(
        () => outgoing.destroy(new Error(`no connection in ${connectMs} ms`)),
        connectMs,
      )
      socket.once('secureConnect', () => {
        clearTimeout(late)
        onConnected()
      })
      socket.once('close', () => clearTimeout(late))
    })
    outgoing.end(body)
  })
}

function readAnswer(request: ApiRequest, { status, text, retryAfter }: Answer): Json {
  const body = parse(text)
  // Health endpoints answer in plain text.
  if (status >= 200 && status < 300) return body ?? text
  throw new ApiRefusal(request, {
    status,
    // A proxy or a server that starts answers plain text.
    body: body ?? { message: text.slice(0, 300) || `HTTP ${status}` },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function urlOf(connection: ApiConnection, { path, query }: ApiRequest): URL {
  const url = new URL(connection.server.pathname.replace(/\/$/, '') + path, connection.server)
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}

/** It was reached, and asked again it would answer the same. */
function tooLarge(
  { server }: ApiConnection,
  { operation, target }: ApiRequest,
  cause: TooLarge,
): ClusterError {
  const message = `the answer of the Kubernetes API at ${server.host} is not used: ${cause.message}`
  return new ClusterError('kubernetes-refused', message, {
    operation,
    target,
    cause,
    hint: 'Look for what fills the cluster with objects (or with large ones) of this kind, and delete them.',
  })
}

function unreachable(
  connection: ApiConnection,
  request: ApiRequest,
  { cause, isUnsent }: { readonly cause: unknown; readonly isUnsent: boolean },
): ClusterError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new ApiUnreachable(
    `the Kubernetes API at ${connection.server.host} cannot be reached: ${why}`,
    {
      operation: request.operation,
      target: request.target,
      cause,
      isUnsent,
      hint: 'Check that the control plane runs and that the firewall lets this address in.',
    },
  )
}
