import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isPlainSnapshot } from '../../backup/plain-snapshot.ts'
import { readBeginning } from '../../backup/s3/answered-part.ts'
import { listObjects } from '../../backup/s3/list-objects.ts'
import { type ReadMetadata, readMetadata } from '../../backup/sealed-snapshot.ts'
import { type SnapshotMetadata, signedBytes } from '../../backup/snapshot-metadata.ts'
import { formatPlace, parseFolder, type SnapshotPlace } from '../../backup/snapshot-place.ts'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import { createLimit } from '../../lib/limit.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import type { RunContext } from '../../run/run-context.ts'
import { openStorage } from '../../run/snapshot-storage.ts'
import type { CommonSpec } from '../../spec/common-spec.ts'
import { type AgeIdentity, parseIdentities } from '../../store/trust/identity.ts'
import { createStateTrust } from '../../store/trust/state-trust.ts'
import { readClusterFile } from '../modes/cluster-modes.ts'

/** A snapshot as its beginning tells it: whether all of it is there, only a restore sees. */
export interface ListedSnapshot {
  readonly place: string
  /** In bytes. */
  readonly size: number
  /** Undefined for what says nothing of itself. */
  readonly metadata: SnapshotMetadata | undefined
  /** Why a restore of this cluster would not take it, or what is not known of it; undefined where all of it is proven. */
  readonly doubt: string | undefined
}

interface Found {
  readonly place: SnapshotPlace
  readonly size: number
}

/** Longer than any header: a metadata stands in it. */
const beginning = (1 << 18) + 4_096

/** How many are read at once. */
const atOnce = 8

/**
 * The snapshots in a folder or below a prefix, the newest first. Asks neither a provider nor a node, and changes nothing.
 * Throws `snapshot-missing`, `object-storage-failed`, `usage`.
 */
export async function listSnapshots(
  context: RunContext,
  { file, at }: { readonly file: ClusterFile; readonly at: string },
): Promise<ListedSnapshot[]> {
  const { spec } = readClusterFile(file)
  const { identity } = context.state
  const identities = identity === undefined ? [] : await parseIdentities(identity, context.redactor)
  const limit = createLimit(atOnce)
  const listed = await Promise.all(
    (await find(context, at)).map((found) =>
      limit(() => describe(context, found, { spec, identities })),
    ),
  )
  return listed
    .flatMap((one) => (one ? [one] : []))
    .sort((a, b) => (timeOf(b) > timeOf(a) ? 1 : timeOf(b) < timeOf(a) ? -1 : 0))
}

function timeOf({ metadata }: ListedSnapshot): string {
  return metadata?.takenAt ?? ''
}

async function find(context: RunContext, at: string): Promise<Found[]> {
  const folder = parseFolder(at)
  if (folder.kind === 'object') {
    const { bucket, prefix } = folder
    const objects = await listObjects(openStorage(context), { bucket, prefix })
    return objects.map(({ key, size }) => ({ place: { kind: 'object', bucket, key }, size }))
  }
  try {
    const names = await readdir(folder.path)
    const all = await Promise.all(
      names.map(async (name) => {
        const path = join(folder.path, name)
        const status = await lstat(path)
        return status.isFile()
          ? [{ place: { kind: 'file', path } as const, size: status.size }]
          : []
      }),
    )
    return all.flat()
  } catch (cause) {
    throw new ClusterError('snapshot-missing', 'the folder cannot be read', {
      target: folder.path,
      hint: 'Check the path, and name the folder that the snapshots are in.',
      cause,
    })
  }
}

/** Undefined for what is no snapshot at all: folders hold other things too. */
async function describe(
  context: RunContext,
  { place, size }: Found,
  judges: Judges,
): Promise<ListedSnapshot | undefined> {
  const listed = { place: formatPlace(place), size }
  const begin = await readBegin(context, place, size)
  if (isPlainSnapshot(begin)) {
    return {
      ...listed,
      metadata: undefined,
      doubt: 'a plain one: it names neither its cluster nor when it was taken',
    }
  }
  const secrets = judges.identities.map(({ secret }) => secret)
  try {
    const read = await readMetadata(once(begin), secrets)
    if (!read) return undefined
    return { ...listed, metadata: read.signed.metadata, doubt: doubtOf(read, judges) }
  } catch (error) {
    if (!isClusterError(error, 'snapshot-foreign')) throw error
    return { ...listed, metadata: undefined, doubt: error.message }
  }
}

interface Judges {
  readonly spec: CommonSpec
  readonly identities: readonly AgeIdentity[]
}

function doubtOf(
  { signed, isOpened }: ReadMetadata,
  { spec: { clusterName, state }, identities }: Judges,
): string | undefined {
  const { cluster } = signed.metadata
  if (cluster !== clusterName) return `of the cluster ${cluster}`
  try {
    const signature = Buffer.from(signed.signature, 'latin1')
    createStateTrust(state.signers, identities).verify(signedBytes(signed), signature, 'snapshot')
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    return error.code === 'state-signer-unknown'
      ? 'signed by somebody whom the cluster file does not name'
      : 'its signature is wrong'
  }
  if (isOpened) return undefined
  return identities.length === 0
    ? 'not opened: no identity was given'
    : 'none of the identities given opens it'
}

async function readBegin(
  context: RunContext,
  place: SnapshotPlace,
  size: number,
): Promise<Uint8Array> {
  if (size === 0) return new Uint8Array()
  const last = Math.min(size, beginning) - 1
  if (place.kind === 'object') {
    return readBeginning(openStorage(context), place, last + 1)
  }
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(place.path, { end: last })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}
