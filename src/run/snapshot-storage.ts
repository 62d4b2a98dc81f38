import { downloadObject } from '../backup/s3/download-object.ts'
import { ObjectStorage } from '../backup/s3/object-storage.ts'
import { uploadObject } from '../backup/s3/upload-object.ts'
import { readSnapshotFile, writeSnapshotFile } from '../backup/snapshot-file.ts'
import type { SnapshotPlace } from '../backup/snapshot-place.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { RunContext } from './run-context.ts'

/**
 * Puts sealed bytes at a place, whole or not at all and over nothing; returns how many. Throws what the
 * place and the bytes throw.
 */
export function storeSnapshot(
  context: RunContext,
  place: SnapshotPlace,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  return place.kind === 'file'
    ? writeSnapshotFile(place.path, bytes)
    : uploadObject(openStorage(context), place, bytes)
}

/** The bytes at a place. Throws `snapshot-missing`, `object-storage-failed`. */
export function fetchSnapshot(
  context: RunContext,
  place: SnapshotPlace,
): AsyncIterable<Uint8Array> {
  return place.kind === 'file'
    ? readSnapshotFile(place.path)
    : downloadObject(openStorage(context), place)
}

/** Throws `usage` where the environment says nothing, or nothing that can be right, of an object storage. */
export function openStorage({
  storage,
  clock,
  calendar,
  random,
  signal,
}: RunContext): ObjectStorage {
  if (!storage) {
    throw new ClusterError('usage', 'nothing is known of an object storage', {
      hint: 'Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_ENDPOINT_URL_S3 (https://fsn1.your-objectstorage.com).',
    })
  }
  if (!isEndpoint(storage.endpoint)) {
    throw new ClusterError('usage', 'AWS_ENDPOINT_URL_S3 is no address of an object storage', {
      hint: 'Use an address that begins with https:// (or http:// on this machine).',
    })
  }
  return new ObjectStorage(storage, { clock, calendar, random, signal })
}

/** Snapshots are sealed; what may be read and deleted in the bucket is not for everybody's ears either. */
function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}
