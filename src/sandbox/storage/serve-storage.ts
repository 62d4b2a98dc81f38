import { type HttpAnswer, type HttpRequest, serveHttp } from '../serve-http.ts'
import type { World } from '../world.ts'
import { type StorageAccount, signatureProblem } from './check-signature.ts'
import { etagOf } from './storage-state.ts'

/** The one account of the sandbox's object storage, and its bucket. */
export const storageAccount = {
  region: 'fsn1',
  bucket: 'backups',
  accessKeyId: 'SANDBOXACCESSKEY0001',
  secretAccessKey: 'sandbox-secret-access-key-of-the-object-storage',
} as const satisfies StorageAccount & { readonly bucket: string }

/** S3 takes nothing smaller as a part, but for the last. */
const smallestPart = 5 << 20

/** How many objects one answer lists. */
const pageSize = 1_000

/** Serves an object storage as far as one object, and the list of a bucket, go: S3 by path, with Signature Version 4. */
export function serveStorage(world: World): Promise<{ url: string }> {
  return serveHttp(world, {
    name: 'storage',
    answer: (request) => {
      if (request.fault === 'unavailable')
        return refuse(503, 'SlowDown', 'Reduce your request rate.')
      if (request.fault === 'server-error') return refuse(500, 'InternalError', 'Please try again.')
      if (request.fault === 'strange-page') return xml(200, '<html>Welcome</html>')
      const answer = answerSigned(world, request)
      return { ...answer, broken: request.fault === 'truncate' }
    },
  })
}

function answerSigned(world: World, request: HttpRequest): HttpAnswer {
  // The account's time is the wall's: it is what clients date their requests by.
  const problem = signatureProblem(request, storageAccount, Date.now())
  if (problem) return refuse(problem.status, problem.code, problem.message)
  const [, bucket = '', path = ''] = /^\/([^/]+)(?:\/(.*))?$/.exec(request.url.pathname) ?? []
  const objects = world.storage.buckets.get(bucket)
  if (!objects) return refuse(404, 'NoSuchBucket', 'The specified bucket does not exist')
  if (path === '') return answerList(request, objects)
  return answerObject(world, request, { bucket, key: decodeURIComponent(path), objects })
}

interface Target {
  readonly bucket: string
  readonly key: string
  readonly objects: Map<string, Buffer>
}

function answerObject(world: World, request: HttpRequest, target: Target): HttpAnswer {
  const { method, url, body } = request
  const { key, objects } = target
  const uploadId = url.searchParams.get('uploadId')
  if (method === 'POST' && url.searchParams.has('uploads')) return beginUpload(world, target)
  if (uploadId !== null) return answerUpload(world, request, target, uploadId)
  if (method === 'PUT') {
    objects.set(key, body)
    return { status: 200, headers: { ETag: etagOf(body) } }
  }
  const content = objects.get(key)
  if (method === 'DELETE') {
    objects.delete(key)
    return { status: 204 }
  }
  if (!content) return refuse(404, 'NoSuchKey', 'The specified key does not exist.')
  return method === 'GET' || method === 'HEAD'
    ? read(request, content)
    : refuse(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.')
}

function read({ headers, fault }: HttpRequest, content: Buffer): HttpAnswer {
  const tag = etagOf(content)
  const wanted = headers['if-match']
  if (wanted !== undefined && wanted !== tag) {
    return refuse(412, 'PreconditionFailed', 'At least one of the preconditions did not hold')
  }
  const range = fault === 'ignore-range' ? '' : headers.range
  const [, begin, end = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (Number(begin ?? 0) >= content.length && begin !== undefined) {
    return refuse(416, 'InvalidRange', 'The requested range is not satisfiable')
  }
  if (begin === undefined) return { status: 200, headers: { ETag: tag }, body: content }
  const first = Number(begin) + (fault === 'wrong-range' ? 1 : 0)
  const body = content.subarray(first, end === '' ? content.length : Number(end) + 1)
  const part = `bytes ${first}-${first + body.length - 1}/${content.length}`
  return { status: 206, headers: { ETag: tag, 'Content-Range': part }, body }
}

/** ListObjectsV2, as far as a folder is listed by it. */
function answerList(
  { method, url: { searchParams } }: HttpRequest,
  objects: Target['objects'],
): HttpAnswer {
  if (method !== 'GET' || searchParams.get('list-type') !== '2') {
    return refuse(501, 'NotImplemented', 'Only the second version of the list is here.')
  }
  const unknown = [...searchParams.keys()].find((name) => !listParameters.includes(name))
  if (unknown !== undefined) return refuse(400, 'InvalidArgument', `Unknown: ${unknown}`)
  const prefix = searchParams.get('prefix') ?? ''
  const delimiter = searchParams.get('delimiter') ?? ''
  const after = Buffer.from(searchParams.get('continuation-token') ?? '', 'base64').toString()
  const found = [...objects]
    .filter(([key]) => key.startsWith(prefix) && key > after)
    .filter(([key]) => delimiter === '' || !key.slice(prefix.length).includes(delimiter))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const page = found.slice(0, pageSize)
  const entries = page.map(
    ([key, content]) =>
      `<Contents><Key>${encodeKey(key)}</Key><Size>${content.length}</Size></Contents>`,
  )
  const token = Buffer.from(page.at(-1)?.[0] ?? '').toString('base64')
  const more =
    found.length > page.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`
      : '<IsTruncated>false</IsTruncated>'
  return xml(200, `<ListBucketResult>${more}${entries.join('')}</ListBucketResult>`)
}

const listParameters = ['list-type', 'prefix', 'delimiter', 'encoding-type', 'continuation-token']

/** As `encoding-type=url` asks for it. */
function encodeKey(key: string): string {
  return encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/')
}

function beginUpload(world: World, { bucket, key }: Target): HttpAnswer {
  const { storage } = world
  const id = `upload-${world.hex(8)}`
  storage.uploads.set(id, { bucket, key, parts: new Map() })
  return xml(
    200,
    `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
  )
}

function answerUpload(
  { storage }: World,
  { method, url, body, text }: HttpRequest,
  { bucket, key, objects }: Target,
  id: string,
): HttpAnswer {
  const upload = storage.uploads.get(id)
  if (!upload || upload.bucket !== bucket || upload.key !== key) {
    return refuse(404, 'NoSuchUpload', 'The specified multipart upload does not exist.')
  }
  if (method === 'PUT') {
    upload.parts.set(Number(url.searchParams.get('partNumber')), body)
    return { status: 200, headers: { ETag: etagOf(body) } }
  }
  if (method === 'DELETE') {
    storage.uploads.delete(id)
    return { status: 204 }
  }
  const listed = [...text.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)]
  const parts = listed.map(([, number, tag]) => ({ tag, part: upload.parts.get(Number(number)) }))
  const isListed = parts.every(({ tag, part }) => part !== undefined && etagOf(part) === tag)
  if (parts.length === 0 || !isListed) {
    return refuse(400, 'InvalidPart', 'One or more of the specified parts could not be found.')
  }
  const content = parts.flatMap(({ part }) => part ?? [])
  if (content.slice(0, -1).some((part) => part.length < smallestPart)) {
    return refuse(
      400,
      'EntityTooSmall',
      'Your proposed upload is smaller than the minimum allowed size',
    )
  }
  objects.set(key, Buffer.concat(content))
  storage.uploads.delete(id)
  return xml(200, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
}

function refuse(status: number, code: string, message: string): HttpAnswer {
  return xml(status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`)
}

function xml(status: number, body: string): HttpAnswer {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
  return { status, headers: { 'Content-Type': 'application/xml' }, body: head + body }
}
