import { createHash } from 'node:crypto'
import { z } from 'zod'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { stateCorrupt, stateDamage } from '../trust/state-damage.ts'
import { toJson } from './json-file.ts'
import { fileKind } from './layout.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** More than any life of a cluster writes, and far below where counting on is no counting any more. */
const generationNumber = z.number().int().positive().max(2_147_483_647)

const manifestFile = z.strictObject({
  path: z.string(),
  kind: z.enum(['secrets', 'named-secrets', 'node-config', 'inventory', 'journal', 'plan']),
  size: z.number().int().nonnegative(),
  sha256,
})

/** What somebody with the key looked at and signed for, since the history does not explain it. */
const repair = z.strictObject({
  reason: z.string().min(1).max(1_000),
  /** Digest of what was shown and confirmed. */
  confirmed: sha256,
  /** The generation whose files this one has. */
  base: generationNumber,
  /** The newest generation that is known to have been, where `base` is older: what came between is lost. */
  lost: generationNumber.nullable(),
  /** Commits of the branch and what is wrong with each; of nothing else in them is anything taken over. */
  accepted: z.array(
    z.strictObject({ commit: z.string().regex(/^[0-9a-f]{40,64}$/), code: z.string() }),
  ),
})
export type ManifestRepair = z.infer<typeof repair>

const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** owner/name of the repository that it was written for. */
  repository: z.string(),
  cluster: z.string(),
  uid: z.string().regex(/^[0-9a-f]{16}$/),
  generation: generationNumber,
  /** Hash of the former generation's manifest; null for the first. */
  previous: sha256.nullable(),
  /** Counts the keys under which the state was written and signed: the place of its signer in `state.signer`. */
  keyEpoch: z.number().int().positive(),
  /** Digest of the recipients that the files are encrypted for, sorted. */
  recipients: sha256,
  /** Digest of the spec that was applied last, to its end; null before that. */
  specDigest: sha256.nullable(),
  /** The commit that it came from, where it came from one. */
  appliedCommit: z.string().nullable(),
  toolVersion: z.string(),
  writer: z.strictObject({ run: z.string(), attempt: z.number().int(), nonce: z.string() }),
  writtenAt: z.iso.datetime(),
  files: z.array(manifestFile),
  /** Of a generation that repairs the history, and of no other. */
  repair: repair.optional(),
})

/** One generation's table of contents: a file of the state is valid only through it. */
export type Manifest = z.infer<typeof manifestSchema>
export type ManifestFile = z.infer<typeof manifestFile>

/** The bytes of a manifest, which are signed: canonical JSON. */
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

/** Reads a manifest whose signature was verified. Throws `state-manifest-unreadable`. */
export function parseManifest(content: Uint8Array, target: string): Manifest {
  const unreadable = (why: string) =>
    stateDamage(
      'state-manifest-unreadable',
      target,
      `the manifest of the state cannot be read: ${why}`,
    )
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(content).toString('utf8'))
  } catch {
    throw unreadable('it is not JSON')
  }
  const parsed = manifestSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw unreadable(issue ? `${issue.path.join('.')}: ${issue.message}` : 'unknown')
  }
  if (!Buffer.from(content).equals(manifestBytes(parsed.data))) {
    throw unreadable('it is not canonical')
  }
  return parsed.data
}

/** How a cluster's folder differs from its manifest. */
export interface Mismatch {
  /** In the cluster's folder. */
  readonly path: string
  /** `moved`: what stands there belongs to `origin`; `stranger`: no manifest lists it. */
  readonly kind: 'missing' | 'changed' | 'moved' | 'stranger'
  readonly origin?: string
}

/** The first difference between a cluster's files (manifest and signature apart) and its manifest; undefined if none. */
export function findMismatch(
  { files: listed }: Pick<Manifest, 'files'>,
  files: ReadonlyMap<string, Uint8Array>,
): Mismatch | undefined {
  for (const { path, kind, size, sha256 } of listed) {
    const content = files.get(path)
    if (!content) return { path, kind: 'missing' }
    const found = { kind: fileKind(path), size: content.length, sha256: digest(content) }
    if (found.kind === kind && found.size === size && found.sha256 === sha256) continue
    const origin = listed.find((other) => other.sha256 === found.sha256)?.path
    return origin === undefined ? { path, kind: 'changed' } : { path, kind: 'moved', origin }
  }
  const paths = new Set(listed.map(({ path }) => path))
  const stranger = [...files.keys()].find((path) => !paths.has(path))
  return stranger === undefined ? undefined : { path: stranger, kind: 'stranger' }
}

/** JSON of any shape. Throws `state-corrupt`. */
export function parseJson(content: Uint8Array, target: string): unknown {
  try {
    return JSON.parse(Buffer.from(content).toString('utf8'))
  } catch (error) {
    throw stateCorrupt(target, 'a file of it is not JSON', error)
  }
}
