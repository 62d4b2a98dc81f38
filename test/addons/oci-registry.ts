import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

export interface Registry {
  /** `127.0.0.1:port`, without a scheme. */
  readonly host: string
  /** Method and path of each request, with `anonymous` or the token that it came with. */
  readonly requests: readonly string[]
}

export interface RegistryOptions {
  /** What it serves: the tgz by `<name>:<tag>`. */
  readonly charts: Readonly<Record<string, Buffer>>
  /** `token`: asks for one, and gives it to everybody; `login`: gives it to nobody. */
  readonly access?: 'open' | 'token' | 'login'
  /** What stands in the place of a blob. */
  readonly tampered?: Buffer
}

/** A registry as the distribution specification describes it, as far as a chart is read from one. */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? 'anonymous'
    requests.push(`${request.method} ${request.url} ${token}`)
    answer(request, response, host(), options)
  })
  const host = () => {
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('it does not listen')
    return `127.0.0.1:${address.port}`
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { host: host(), requests }
}

function answer(
  { url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  host: string,
  { charts, access = 'open', tampered }: RegistryOptions,
): void {
  const { pathname, searchParams } = new URL(url, 'http://registry')
  if (pathname === '/token') {
    const scope = searchParams.get('scope') ?? ''
    const isGiven = access === 'token' && scope.endsWith(':pull')
    response.writeHead(isGiven ? 200 : 401).end(JSON.stringify({ token: 'for-everybody' }))
    return
  }
  const [, name = '', kind, reference = ''] =
    /^\/v2\/(.+)\/(manifests|blobs)\/(.+)$/.exec(pathname) ?? []
  if (access !== 'open' && headers.authorization !== 'Bearer for-everybody') {
    const challenge = `Bearer realm="http://${host}/token",service="registry",scope="repository:${name}:pull"`
    response.writeHead(401, { 'www-authenticate': challenge }).end()
    return
  }
  const found =
    kind === 'manifests'
      ? manifestOf(charts[`${name}:${reference}`])
      : Object.values(charts).find((chart) => reference === `sha256:${sha256(chart)}`)
  if (!found) response.writeHead(404).end()
  else response.writeHead(200).end(kind === 'blobs' ? (tampered ?? found) : found)
}

function manifestOf(chart: Buffer | undefined): Buffer | undefined {
  if (!chart) return undefined
  const layer = (mediaType: string, bytes: Buffer) => ({
    mediaType,
    digest: `sha256:${sha256(bytes)}`,
    size: bytes.length,
  })
  const manifest = {
    schemaVersion: 2,
    config: layer('application/vnd.cncf.helm.config.v1+json', Buffer.from('{}')),
    layers: [
      layer('application/vnd.cncf.helm.chart.provenance.v1.prov', Buffer.from('signature')),
      layer('application/vnd.cncf.helm.chart.content.v1.tar+gzip', chart),
    ],
  }
  return Buffer.from(JSON.stringify(manifest))
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
