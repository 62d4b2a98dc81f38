import { createHmac, timingSafeEqual } from 'node:crypto'
import { Decrypter, Encrypter, Stanza } from 'age-encryption'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { damaged } from './etcd-snapshot.ts'
import {
  formatMetadata,
  parseMetadata,
  type SignedMetadata,
  type SnapshotMetadata,
  signedBytes,
} from './snapshot-metadata.ts'

/** The kind of the stanza that holds the metadata; age passes over stanzas that it does not know. */
const stanzaKind = ['hcloud-talos/etcd-snapshot', '1'] as const

/** Longer than the header of any file for a few hundred recipients, post-quantum ones included. */
const longestHeader = 1 << 18

export interface SealOptions {
  /** age recipients: `age1…` or `age1pq1…`. */
  readonly recipients: readonly string[]
  readonly metadata: SnapshotMetadata
  /** Signs as this run: `<signer> <signature in base64>`. */
  readonly sign: (bytes: Uint8Array) => string
}

/**
 * Encrypts a snapshot as it passes: an ordinary age file, so that `age -d` gives the snapshot as etcd made
 * it. What it is stands in a stanza of the header (ADR 16), which age authenticates and does not mind.
 */
export async function* sealSnapshot(
  plain: AsyncIterable<Uint8Array>,
  { recipients, metadata, sign }: SealOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  encrypter.addRecipient({
    wrapFileKey(key) {
      const fileKey = commitment(key)
      const signature = sign(signedBytes({ metadata, fileKey }))
      return [new Stanza([...stanzaKind], formatMetadata({ metadata, fileKey, signature }))]
    },
  })
  yield* await encrypter.encrypt(ReadableStream.from(plain))
}

export interface OpenedSnapshot {
  /** The metadata, which is this very file's; whether its signer is believed is the caller's to judge. */
  readonly signed: SignedMetadata
  /** The snapshot as etcd made it. Throws `snapshot-damaged` where the file is not whole. */
  readonly plain: AsyncIterable<Uint8Array>
}

/**
 * Opens what `sealSnapshot` made, with age identities (`AGE-SECRET-KEY-…`). Throws `snapshot-foreign` for
 * a file that is none of ours, or that none of them opens.
 */
export async function openSnapshot(
  sealed: AsyncIterable<Uint8Array>,
  identities: readonly string[],
): Promise<OpenedSnapshot> {
  const { header, whole } = await readHeader(sealed)
  const { decrypter, stanzas, fileKey, failure } = await openHeader(header, identities)
  if (!fileKey)
    throw foreign('it is no age file, or none of the identities given opens it', failure)
  const signed = metadataOf(stanzas)
  if (!signed) throw foreign('it does not name its cluster')
  if (!equal(signed.fileKey, commitment(fileKey))) throw exchanged()
  return { signed, plain: decrypt(decrypter, whole) }
}

export interface ReadMetadata {
  readonly signed: SignedMetadata
  /** Whether an identity opened the file, which alone proves that the metadata is this very file's. */
  readonly isOpened: boolean
}

/**
 * What a sealed snapshot says of itself, from its beginning alone: everybody can read it. Undefined for what is none of
 * ours. Throws `snapshot-foreign` where the metadata was taken from another file.
 */
export async function readMetadata(
  begin: AsyncIterable<Uint8Array>,
  identities: readonly string[],
): Promise<ReadMetadata | undefined> {
  const read = await readHeader(begin).catch((error: unknown) => {
    if (isClusterError(error, 'snapshot-foreign')) return undefined
    throw error
  })
  if (!read) return undefined
  const { stanzas, fileKey } = await openHeader(read.header, identities)
  const signed = metadataOf(stanzas)
  if (!signed) return undefined
  if (fileKey && !equal(signed.fileKey, commitment(fileKey))) throw exchanged()
  return { signed, isOpened: fileKey !== undefined }
}

interface OpenedHeader {
  readonly decrypter: Decrypter
  readonly stanzas: readonly Stanza[]
  /** Undefined where none of the identities opens it. */
  readonly fileKey: Uint8Array | undefined
  readonly failure: unknown
}

async function openHeader(
  header: Uint8Array,
  identities: readonly string[],
): Promise<OpenedHeader> {
  const decrypter = new Decrypter()
  let stanzas: readonly Stanza[] = []
  decrypter.addIdentity({
    unwrapFileKey(found: Stanza[]) {
      stanzas = found
      return null
    },
  })
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    const fileKey = await decrypter.decryptHeader(header)
    return { decrypter, stanzas, fileKey, failure: undefined }
  } catch (failure) {
    return { decrypter, stanzas, fileKey: undefined, failure }
  }
}

function metadataOf(stanzas: readonly Stanza[]): SignedMetadata | undefined {
  const stanza = stanzas.find(({ args }) => args.join(' ') === stanzaKind.join(' '))
  return stanza && parseMetadata(stanza.body)
}

function exchanged(): ClusterError {
  return foreign('its metadata was taken from another file')
}

/** `snapshot-foreign`: not a snapshot of this cluster that somebody believed has made. */
export function foreign(reason: string, cause?: unknown): ClusterError {
  return new ClusterError('snapshot-foreign', `this snapshot is rejected: ${reason}`, {
    hint: 'Name a snapshot that `hcloud-talos snapshot` made of this cluster; nothing was changed.',
    cause,
  })
}

async function* decrypt(
  decrypter: Decrypter,
  whole: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* await decrypter.decrypt(ReadableStream.from(whole))
  } catch (error) {
    if (isClusterError(error)) throw error
    throw damaged('a part of the age file was changed or is missing', error)
  }
}

/** Reads as far as the header goes, and gives all of the file back with it. */
async function readHeader(
  sealed: AsyncIterable<Uint8Array>,
): Promise<{ header: Uint8Array; whole: AsyncIterable<Uint8Array> }> {
  const chunks = sealed[Symbol.asyncIterator]()
  let begin = Buffer.alloc(0)
  for (;;) {
    const end = headerEnd(begin)
    if (end !== undefined) return { header: begin.subarray(0, end), whole: resume(begin, chunks) }
    const next = begin.length > longestHeader ? { done: true } : await chunks.next()
    if (next.done || !('value' in next)) {
      await chunks.return?.()
      throw foreign('it is no age file')
    }
    begin = Buffer.concat([begin, next.value])
  }
}

/** Where the line with the header's MAC ends; undefined as long as it is not there. */
function headerEnd(begin: Buffer): number | undefined {
  const mac = begin.indexOf('\n--- ')
  const end = mac < 0 ? -1 : begin.indexOf('\n', mac + 1)
  return end < 0 ? undefined : end + 1
}

async function* resume(
  begin: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield begin
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

function commitment(fileKey: Uint8Array): string {
  return createHmac('sha256', fileKey).update(stanzaKind.join(' ')).digest('hex')
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
