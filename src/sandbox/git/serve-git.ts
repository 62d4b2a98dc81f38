import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { CgiReply } from './cgi-reply.ts'

/** A user of the git server. `read` may fetch; `write` may push as well. */
interface GitUser {
  readonly password: string
  readonly access: 'read' | 'write'
}

export interface ServeGitOptions {
  /** The folder of the bare repositories; `<root>/state.git` is served as `<url>/state.git`. */
  readonly root: string
  readonly users: Readonly<Record<string, GitUser>>
  /** The PATH on which git is found. */
  readonly path: string
  readonly address?: string
  /** Told of each request: the bytes of its body and of its answer's. */
  readonly onTraffic?: (bytes: { readonly received: number; readonly sent: number }) => void
  /** Asked after a push took effect: whether its answer gets lost on the way, as when a connection dies. */
  readonly losesReply?: () => boolean
}

/**
 * Serves repositories over smart HTTP with basic authentication, by git's own `http-backend`: 401 without
 * or with a wrong password, 403 for a push by somebody who may only read, as GitHub answers.
 */
export async function serveGit(
  options: ServeGitOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const address = options.address ?? '127.0.0.1'
  const server = createServer((request, response) => answer(request, response, options))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, address, resolve)
  })
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the git server has no port')
  return {
    url: `http://${address}:${bound.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServeGitOptions,
): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const isPush =
    url.pathname.endsWith('/git-receive-pack') ||
    url.searchParams.get('service') === 'git-receive-pack'
  const name = authenticate(request, options.users)
  if (name === undefined) {
    response.setHeader('WWW-Authenticate', 'Basic realm="git"')
    response.writeHead(401).end('authentication required\n')
    return
  }
  if (isPush && options.users[name]?.access !== 'write') {
    response.writeHead(403).end(`Permission to ${url.pathname} denied to ${name}.\n`)
    return
  }
  runBackend(request, response, url, name, options)
}

function authenticate(
  request: IncomingMessage,
  users: Readonly<Record<string, GitUser>>,
): string | undefined {
  const [, encoded = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const user = Object.hasOwn(users, name) ? users[name] : undefined
  return user && user.password === password.join(':') ? name : undefined
}

function runBackend(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  user: string,
  options: ServeGitOptions,
): void {
  const header = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : ''
  }
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: options.path,
      GIT_PROJECT_ROOT: options.root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: header('content-type'),
      CONTENT_LENGTH: header('content-length'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_USER: user,
      REMOTE_ADDR: request.socket.remoteAddress,
    },
  })
  child.on('error', () => response.destroy())
  child.stdin.on('error', () => undefined)
  let [received, sent] = [0, 0]
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  request.pipe(child.stdin)
  const isEffect = request.method === 'POST' && url.pathname.endsWith('/git-receive-pack')
  const chunks: Buffer[] = []
  const reply = new CgiReply(response)
  // What a push answers is held back until it took effect, so that losing it loses nothing else.
  child.stdout.on('data', (chunk: Buffer) => {
    sent += chunk.length
    if (isEffect) chunks.push(chunk)
    else reply.write(chunk)
  })
  child.on('close', () => {
    options.onTraffic?.({ received, sent })
    if (isEffect && options.losesReply?.()) {
      response.destroy()
      return
    }
    for (const chunk of chunks) reply.write(chunk)
    reply.end()
  })
}
