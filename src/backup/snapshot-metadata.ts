import { z } from 'zod'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { JsonObject } from '../lib/json.ts'

/** What a sealed snapshot says of itself. No secret: everybody who has the file can read it. */
export interface SnapshotMetadata {
  readonly cluster: string
  readonly uid: string
  /** The control plane whose etcd it was taken of. */
  readonly node: string
  /** ISO 8601. */
  readonly takenAt: string
  readonly talosVersion: string
  readonly kubernetesVersion: string
  /** False for one of a survivor: its etcd had lost its quorum. */
  readonly quorum?: boolean | undefined
  /** How far etcd had come, by raft's count. */
  readonly applied?: string | undefined
  /** How far the file of a member had come whose etcd did not answer. */
  readonly database?: string | undefined
  /** Which beginning of etcd it belongs to: of one that began later nothing can be compared. */
  readonly beginning?: string | undefined
}

/** Metadata with who vouches for it: `<signer> <signature in base64>`, as a `manifest.sig` has it. */
export interface SignedMetadata {
  readonly metadata: SnapshotMetadata
  /** HMAC of the age file's key: ties it to this very file. 64 hex digits. */
  readonly fileKey: string
  readonly signature: string
}

const metadataSchema = z.looseObject({
  cluster: z.string(),
  uid: z.string(),
  node: z.string(),
  takenAt: z.iso.datetime(),
  talosVersion: z.string(),
  kubernetesVersion: z.string(),
  quorum: z.boolean().optional(),
  applied: z.string().regex(/^\d+$/).optional(),
  database: z.string().optional(),
  beginning: z.string().optional(),
})

/** As it stands in the file: `card` is its name there since the first version of the format. */
const signedSchema = z
  .object({ card: metadataSchema, fileKey: z.string(), signature: z.string() })
  .transform(({ card: metadata, ...signed }) => ({ metadata, ...signed }))

/** Never the beginning of a manifest of the state, so that neither signature passes for the other. */
const purpose = 'etcd-snapshot/v1\0'

/** The bytes that are signed. */
export function signedBytes({ metadata, fileKey }: Omit<SignedMetadata, 'signature'>): Uint8Array {
  return new TextEncoder().encode(
    purpose + canonicalJson({ card: metadataJson(metadata), fileKey }),
  )
}

export function formatMetadata({ metadata, fileKey, signature }: SignedMetadata): Uint8Array {
  const json = { card: metadataJson(metadata), fileKey, signature }
  return new TextEncoder().encode(canonicalJson(json))
}

/** Undefined for what is none. */
export function parseMetadata(bytes: Uint8Array): SignedMetadata | undefined {
  try {
    return signedSchema.parse(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return undefined
  }
}

function metadataJson(metadata: SnapshotMetadata): JsonObject {
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}
