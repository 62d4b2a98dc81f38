import { createHash } from 'node:crypto'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import { type ObjectPlace, type ObjectStorage, refusalCode } from './object-storage.ts'

/** S3 takes 10,000 parts, of 5 MiB at least: enough for any etcd. */
const usualPartSize = 16 << 20

export interface UploadOptions {
  /** How many bytes of it are held in memory and sent at once; 16 MiB. */
  readonly partSize?: number
}

/**
 * Uploads an object of whatever length, a part at a time, and never over one that is there. It can be seen
 * only when all of it has arrived: the storage checks the hash of each part, and its size is asked for
 * afterwards. What was started and failed is taken back. Throws `object-storage-failed`, `file-unwritable`
 * for an object that is there, and what the chunks throw.
 */
export async function uploadObject(
  storage: ObjectStorage,
  place: ObjectPlace,
  chunks: AsyncIterable<Uint8Array>,
  { partSize = usualPartSize }: UploadOptions = {},
): Promise<number> {
  if ((await sizeOf(storage, place)) !== undefined) throw alreadyThere(place)
  const parts = inParts(chunks, partSize)
  const first = await parts.next()
  if (first.done) throw new Error('nothing to upload')
  const second = await parts.next()
  const size = second.done
    ? await putAtOnce(storage, place, first.value)
    : await putParts(storage, place, join([first.value, second.value], parts))
  if ((await sizeOf(storage, place)) !== size) {
    throw new ClusterError('object-storage-failed', 'what was uploaded is not there as a whole', {
      target: `s3://${place.bucket}/${place.key}`,
      hint: 'Delete it and run again.',
    })
  }
  return size
}

async function putAtOnce(
  storage: ObjectStorage,
  place: ObjectPlace,
  body: Uint8Array,
): Promise<number> {
  await storage.send(place, { method: 'PUT', headers: md5(body), body })
  return body.length
}

async function putParts(
  storage: ObjectStorage,
  place: ObjectPlace,
  parts: AsyncIterable<Uint8Array>,
): Promise<number> {
  const begun = await storage.text(place, { method: 'POST', query: { uploads: '' } })
  const [, uploadId] = /<UploadId>([^<]+)<\/UploadId>/.exec(begun) ?? []
  if (uploadId === undefined) throw strange(place, 'it began an upload without an id')
  try {
    const tags: string[] = []
    let size = 0
    for await (const body of parts) {
      const query = { partNumber: String(tags.length + 1), uploadId }
      const answer = await storage.send(place, { method: 'PUT', query, headers: md5(body), body })
      tags.push(answer.headers.get('etag') ?? '')
      size += body.length
    }
    await complete(storage, place, uploadId, tags)
    return size
  } catch (error) {
    const query = { uploadId }
    await storage.send(place, { method: 'DELETE', query }).catch(() => undefined)
    throw error
  }
}

async function complete(
  storage: ObjectStorage,
  place: ObjectPlace,
  uploadId: string,
  tags: readonly string[],
): Promise<void> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  )
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  try {
    const done = await storage.text(place, { method: 'POST', query: { uploadId }, body })
    // The storage may find out that it failed when it has said 200 already.
    if (done.includes('<Error>')) throw strange(place, 'it could not join the parts')
  } catch (error) {
    // An answer that was lost: the upload is done with, and its size will tell whether well.
    if (refusalCode(error) !== 'NoSuchUpload') throw error
  }
}

/** The size of an object in bytes; undefined where there is none. */
async function sizeOf(storage: ObjectStorage, place: ObjectPlace): Promise<number | undefined> {
  try {
    const { headers } = await storage.send(place, { method: 'HEAD' })
    return Number(headers.get('content-length'))
  } catch (error) {
    if (isClusterError(error, 'snapshot-missing')) return undefined
    throw error
  }
}

/** Chunks joined to parts of one size; the last is shorter. */
async function* inParts(
  chunks: AsyncIterable<Uint8Array>,
  partSize: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    length += chunk.length
    while (length >= partSize) {
      const all = Buffer.concat(held)
      yield all.subarray(0, partSize)
      held = [all.subarray(partSize)]
      length = all.length - partSize
    }
  }
  if (length > 0) yield Buffer.concat(held)
}

async function* join(
  first: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* first
  yield* rest
}

function md5(body: Uint8Array): Record<string, string> {
  return { 'content-md5': createHash('md5').update(body).digest('base64') }
}

function alreadyThere({ bucket, key }: ObjectPlace): ClusterError {
  return new ClusterError('file-unwritable', 'there is an object already, and it is not replaced', {
    operation: 'write',
    target: `s3://${bucket}/${key}`,
    hint: 'Choose another name, or one that ends in / to have one made.',
  })
}

function strange({ bucket, key }: ObjectPlace, reason: string): ClusterError {
  return new ClusterError('object-storage-failed', `the object storage failed: ${reason}`, {
    target: `s3://${bucket}/${key}`,
    hint: 'Run again.',
  })
}
