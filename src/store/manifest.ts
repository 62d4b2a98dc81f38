import { createHash } from 'node:crypto'
import { z } from 'zod'
import { canonicalJson } from '../lib/canonical-json.ts'
import { toJson } from './json-file.ts'
import { fileKind } from './layout.ts'
import { stateCorrupt } from './state-damage.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const manifestFile = z.object({
  path: z.string(),
  kind: z.enum(['secrets', 'node-config', 'inventory', 'journal', 'plan']),
  size: z.number().int().nonnegative(),
  sha256,
})

const manifestSchema = z.object({
  format: z.literal(1),
  cluster: z.string(),
  uid: z.string().regex(/^[0-9a-f]{16}$/),
  generation: z.number().int().positive(),
  /** Hash of the former generation's manifest; null for the first. */
  previous: sha256.nullable(),
  /** Counts the keys under which the state was written and signed. */
  keyEpoch: z.number().int().positive(),
  /** Digest of the recipients that the files are encrypted for, sorted. */
  recipients: sha256,
  toolVersion: z.string(),
  writer: z.object({ run: z.string(), attempt: z.number().int(), nonce: z.string() }),
  writtenAt: z.iso.datetime(),
  files: z.array(manifestFile),
  /** Over the canonical JSON of everything else. Manifests of this version carry none. */
  signature: z.string().optional(),
})

/** One generation's table of contents: a file of the state is valid only through it. */
export type Manifest = z.infer<typeof manifestSchema>
export type ManifestFile = z.infer<typeof manifestFile>

/** The bytes of a manifest: canonical JSON, so that its hash can be told from its content. */
export function manifestBytes(manifest: Manifest): Uint8Array {
  return Buffer.from(canonicalJson(toJson(manifest)))
}

/** A file's line in the manifest. */
export function describeFile(path: string, content: Uint8Array): ManifestFile {
  const kind = fileKind(path)
  if (!kind) throw new Error(`${path} has no place on the state branch`)
  return { path, kind, size: content.length, sha256: digest(content) }
}

/** Lower-case hex SHA-256 of bytes. */
export function digest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Reads a manifest. Throws `state-corrupt`, also for one that a newer version wrote. */
export function parseManifest(content: Uint8Array, cluster: string): Manifest {
  const target = `${cluster}/manifest.json`
  const parsed = manifestSchema.safeParse(parseJson(content, target))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const why = issue ? `${issue.path.join('.')}: ${issue.message}` : 'unreadable'
    throw stateCorrupt(target, `its manifest cannot be read (${why})`)
  }
  if (parsed.data.cluster !== cluster) {
    throw stateCorrupt(target, `its manifest is that of the cluster ${parsed.data.cluster}`)
  }
  return parsed.data
}

/**
 * Compares the files of a cluster's folder with its manifest: each listed one is there, whole and
 * unchanged, and there is no other. Throws `state-corrupt` with the first that is not so.
 */
export function verifyFiles(manifest: Manifest, files: ReadonlyMap<string, Uint8Array>): void {
  const listed = new Set(manifest.files.map(({ path }) => path))
  for (const expected of manifest.files) {
    const target = `${manifest.cluster}/${expected.path}`
    const content = files.get(expected.path)
    if (!content) throw stateCorrupt(target, 'a file of it is missing')
    const { kind, size, sha256 } = describeFile(expected.path, content)
    if (size !== expected.size || sha256 !== expected.sha256 || kind !== expected.kind) {
      throw stateCorrupt(target, 'a file of it is not the one that its manifest lists')
    }
  }
  const stranger = [...files.keys()].find((path) => !listed.has(path))
  if (stranger !== undefined) {
    throw stateCorrupt(
      `${manifest.cluster}/${stranger}`,
      'it holds a file that its manifest does not list',
    )
  }
}

/** JSON of any shape. Throws `state-corrupt`. */
export function parseJson(content: Uint8Array, target: string): unknown {
  try {
    return JSON.parse(Buffer.from(content).toString('utf8'))
  } catch (error) {
    throw stateCorrupt(target, 'a file of it is not JSON', error)
  }
}
