import { createHash } from 'node:crypto'
import { parse } from 'yaml'
import { type HttpAnswer, type HttpRequest, serveHttp } from '../serve-http.ts'
import type { World } from '../world.ts'
import { packDisk } from './disk-image.ts'
import { readSchematic } from './schematic.ts'

export interface FactoryOptions {
  readonly port?: number
  /** Images answer 302 first, as the real factory may; on where absent. */
  readonly redirectImages?: boolean
}

/** Serves the image factory of this world: schematics, versions and hcloud disk images. */
export function serveFactory(
  world: World,
  { port, redirectImages = true }: FactoryOptions = {},
): Promise<{ url: string; close(): Promise<void> }> {
  return serveHttp(world, {
    name: 'factory',
    port,
    answer: (request) => {
      if (request.fault !== undefined && request.fault !== 'truncate') {
        return text(502, 'bad gateway')
      }
      const answer = request.method === 'POST' ? post(world, request) : get(world, request)
      return { ...answer, broken: request.fault === 'truncate' }
    },
  })

  function get(world: World, { url }: HttpRequest): HttpAnswer {
    const path = url.pathname
    const { versions, extensions } = world.factory
    if (path === '/versions') return json(200, versions)
    const [, version] = /^\/version\/([^/]+)\/extensions\/official$/.exec(path) ?? []
    if (version !== undefined) {
      if (!versions.includes(version)) return text(404, 'version not found\n')
      return json(
        200,
        extensions.map((name) => listedExtension(name, version)),
      )
    }
    const [, id] = /^\/schematics\/([0-9a-f]{64})$/.exec(path) ?? []
    if (id !== undefined) {
      const yaml = world.factory.schematics.get(id)
      return yaml === undefined ? text(404, 'schematic not found\n') : text(200, yaml)
    }
    return asset(world, path, redirectImages)
  }
}

const assetPath =
  /^\/(image|blob)\/([0-9a-f]{64})\/(v[^/]+)\/hcloud-(amd64|arm64)\.raw\.(xz|zst)(\..+)?$/

/** A disk image; `/blob/` is where `/image/` redirects to. */
function asset(world: World, path: string, redirectImages: boolean): HttpAnswer {
  const { schematics, versions } = world.factory
  const [, kind, schematic = '', version = '', arch, packing, extra] = assetPath.exec(path) ?? []
  if (kind === undefined) return text(404, 'not found\n')
  // Checksums and signatures are for paying customers of the real factory.
  if (extra !== undefined) return text(402, 'enterprise feature\n')
  if (!schematics.has(schematic)) return text(404, 'schematic not found\n')
  if (!versions.includes(version)) return text(404, 'version not found\n')
  const missing = missingExtension(world, schematics.get(schematic) ?? '')
  if (missing !== undefined) {
    return text(
      400,
      `official extension "${missing}" is not available for Talos version ${version}\n`,
    )
  }
  if (kind === 'image' && redirectImages) {
    return { status: 302, headers: { Location: path.replace('/image/', '/blob/') } }
  }
  const body = packDisk(
    { kind: 'talos', version, schematic, arch: arch === 'arm64' ? 'arm64' : 'amd64' },
    packing === 'zst' ? 'zst' : 'xz',
  )
  return { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, body }
}

/** The first extension of a schematic that the factory does not have. */
function missingExtension({ factory }: World, yaml: string): string | undefined {
  const named = /officialExtensions:\n((?: +- .*\n?)+)/.exec(yaml)?.[1] ?? ''
  const names = [...named.matchAll(/- (\S+)/g)].map(([, name = '']) => name)
  return names.find((name) => !factory.extensions.includes(name))
}

/** As the real one describes it. */
function listedExtension(name: string, version: string) {
  const digest = `sha256:${createHash('sha256').update(`${name} ${version}`).digest('hex')}`
  const ref = `ghcr.io/${name}:${version}`
  return { name, ref, digest, author: 'Sidero Labs', description: `${name} for Talos.` }
}

function post(world: World, request: HttpRequest): HttpAnswer {
  if (request.url.pathname !== '/schematics') return text(404, 'not found\n')
  const schematic = readSchematic(parseText(request.text))
  if (typeof schematic === 'string') return text(400, `invalid schematic: ${schematic}\n`)
  world.factory.schematics.set(schematic.id, schematic.yaml)
  return json(201, { id: schematic.id, schematic: schematic.yaml })
}

/** YAML, and so JSON too; the text itself where it is neither. */
function parseText(source: string): unknown {
  try {
    return parse(source)
  } catch {
    return source
  }
}

function text(status: number, body: string): HttpAnswer {
  return { status, headers: { 'Content-Type': 'text/plain' }, body }
}

function json(status: number, value: unknown): HttpAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  }
}
