import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Bed } from '../bed/bed.ts'

export interface RegistryOptions {
  readonly address: string
  readonly port: number
  readonly images: Bed['images']
  /** Sees an answer through, and what goes wrong with it. */
  readonly background: (answer: () => Promise<void>) => void
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const installer = /^(?:[a-z0-9]+-)?installer\/[0-9a-f]{64}$/

/**
 * Serves the bed's images for reading (OCI distribution), under whichever registry's name they are asked:
 * containerd says in `ns` whose mirror it takes this for. Every schematic has an installer here; what it
 * installs is the rig's to play.
 */
export async function serveRegistry({
  address,
  port,
  images,
  background,
}: RegistryOptions): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    background(() => answer(request, response, images))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
  return {
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  images: Bed['images'],
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://registry')
  if (pathname === '/v2' || pathname === '/v2/') return void response.writeHead(200).end('{}')
  const [, repository = '', kind, wanted = ''] =
    /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? []
  const known = kind === 'manifests' && !wanted.startsWith('sha256:')
  const digest = known
    ? findManifest(images.references, { host: searchParams.get('ns'), repository, tag: wanted })
    : wanted
  const file = digest && join(images.folder, 'blobs', 'sha256', digest.slice('sha256:'.length))
  const size = file && /^sha256:[0-9a-f]{64}$/.test(digest) ? await sizeOf(file) : undefined
  if (kind === undefined || file === undefined || size === undefined) {
    const code = kind === 'blobs' ? 'BLOB_UNKNOWN' : 'MANIFEST_UNKNOWN'
    response.writeHead(404, { 'Content-Type': 'application/json' })
    return void response.end(
      JSON.stringify({ errors: [{ code, message: `${pathname} not found` }] }),
    )
  }
  response.writeHead(200, {
    'Content-Type': kind === 'manifests' ? manifestType : 'application/octet-stream',
    'Content-Length': size,
    'Docker-Content-Digest': digest,
  })
  if (request.method === 'HEAD') return void response.end()
  await new Promise<void>((done) => {
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response)
    response.once('close', () => done())
  })
}

function findManifest(
  references: ReadonlyMap<string, string>,
  { host, repository, tag }: { host: string | null; repository: string; tag: string },
): string | undefined {
  if (installer.test(repository) || repository === 'siderolabs/installer') {
    return references.get('installer')
  }
  if (host !== null) return references.get(`${host}/${repository}:${tag}`)
  const ending = `/${repository}:${tag}`
  return [...references].find(([reference]) => reference.endsWith(ending))?.[1]
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size
  } catch {
    return undefined
  }
}
