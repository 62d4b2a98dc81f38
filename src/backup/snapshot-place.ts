import { ClusterError } from '../lib/cluster-error.ts'

/** Where a sealed snapshot is kept. */
export type SnapshotPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'object'; readonly bucket: string; readonly key: string }

/**
 * Reads `s3://bucket/key`, or the path of a file. What ends in a slash is a folder, and gets `name`.
 * Throws `usage`.
 */
export function parsePlace(text: string, name?: string): SnapshotPlace {
  const place = name !== undefined && text.endsWith('/') ? `${text}${name}` : text
  if (!/^[a-z0-9]+:\/\//i.test(place)) {
    if (place === '' || place.endsWith('/')) throw notAPlace('a file must be named')
    return { kind: 'file', path: place }
  }
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([^?#]+)$/.exec(place) ?? []
  if (bucket === undefined || key === undefined || key.endsWith('/')) {
    throw notAPlace('an object is s3://bucket/key')
  }
  return { kind: 'object', bucket, key }
}

/** Where snapshots are kept: a folder, or what keys in a bucket begin with. */
export type SnapshotFolder =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'object'; readonly bucket: string; readonly prefix: string }

/** Reads `s3://bucket/folder/`, or the path of a folder; whether it ends in a slash does not matter. Throws `usage`. */
export function parseFolder(text: string): SnapshotFolder {
  if (!/^[a-z0-9]+:\/\//i.test(text)) {
    if (text === '') throw notAPlace('a folder must be named')
    return { kind: 'file', path: text }
  }
  const [, bucket, path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?$/.exec(text) ?? []
  if (bucket === undefined) throw notAPlace('a folder is s3://bucket/folder/')
  return { kind: 'object', bucket, prefix: path === '' || path.endsWith('/') ? path : `${path}/` }
}

/** As people write it. */
export function formatPlace(place: SnapshotPlace): string {
  return place.kind === 'file' ? place.path : `s3://${place.bucket}/${place.key}`
}

/** A name for a snapshot that sorts by its time: `demo-20261128T023000Z.etcd.age`. */
export function snapshotName(cluster: string, takenAt: string): string {
  return `${cluster}-${takenAt.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.etcd.age`
}

/** Where a copy goes of what a snapshot replaces: into its folder, under a name that says of which node it is. */
export function placeBeside(
  place: SnapshotPlace,
  { cluster, takenAt, node }: { cluster: string; takenAt: string; node: string },
): SnapshotPlace {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
  const name = snapshotName(`${cluster}-replaced-${node}`, takenAt)
  return place.kind === 'file'
    ? { ...place, path: `${folderOf(place.path)}${name}` }
    : { ...place, key: `${folderOf(place.key)}${name}` }
}

function notAPlace(reason: string): ClusterError {
  return new ClusterError('usage', `this is no place for a snapshot: ${reason}`, {
    hint: 'Give the path of a file, or s3://bucket/key.',
  })
}
