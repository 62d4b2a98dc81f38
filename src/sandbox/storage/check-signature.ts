import { createHash, createHmac } from 'node:crypto'
import type { HttpRequest } from '../serve-http.ts'

export interface StorageAccount {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Why a request is refused: S3's code, and in its words. */
export interface SignatureProblem {
  readonly status: 400 | 403
  readonly code: string
  readonly message: string
}

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/

/** How far a request may be from the storage's own time, in milliseconds. */
const mostSkew = 15 * 60_000

/**
 * Checks the signature of a request as S3 does (Signature Version 4, in headers), and the hashes of its
 * body. Strict: `host`, the date and the hash must be among what is signed.
 */
export function signatureProblem(
  request: HttpRequest,
  account: StorageAccount,
  now: number,
): SignatureProblem | undefined {
  const [, key, date = '', region, names = '', signature] =
    form.exec(request.authorization ?? '') ?? []
  if (key === undefined) return refusal('AccessDenied', 'Access Denied.')
  if (key !== account.accessKeyId) {
    return refusal('InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist.')
  }
  if (region !== account.region) {
    const message = `The authorization header is malformed; the region '${region}' is wrong; expecting '${account.region}'`
    return { status: 400, code: 'AuthorizationHeaderMalformed', message }
  }
  const time = headerOf(request, 'x-amz-date')
  const signed = names.split(';')
  if (['host', 'x-amz-content-sha256', 'x-amz-date'].some((name) => !signed.includes(name))) {
    return refusal(
      'AccessDenied',
      'There were headers present in the request which were not signed',
    )
  }
  if (!time.startsWith(date) || Math.abs(parseTime(time) - now) > mostSkew) {
    return refusal(
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    )
  }
  const canonical = canonicalRequest(request, signed)
  const scope = `${date}/${account.region}/s3/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`
  if (hmac(signingKey(account, date), text).toString('hex') !== signature) {
    return refusal(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    )
  }
  return bodyProblem(request)
}

function bodyProblem(request: HttpRequest): SignatureProblem | undefined {
  if (sha256(request.body) !== headerOf(request, 'x-amz-content-sha256')) {
    const message = "The provided 'x-amz-content-sha256' header does not match what was computed."
    return { status: 400, code: 'XAmzContentSHA256Mismatch', message }
  }
  const md5 = headerOf(request, 'content-md5')
  if (md5 === '' || createHash('md5').update(request.body).digest('base64') === md5)
    return undefined
  const message = 'The Content-MD5 you specified did not match what we received.'
  return { status: 400, code: 'BadDigest', message }
}

function canonicalRequest(request: HttpRequest, signed: readonly string[]): string {
  const { method, url } = request
  const query = [...url.searchParams]
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .sort()
    .join('&')
  const headers = signed.map((name) => `${name}:${headerOf(request, name).trim()}\n`).join('')
  const hash = headerOf(request, 'x-amz-content-sha256')
  // The path as it came: S3 escapes it once, and so does the client.
  return [method, url.pathname, query, headers, signed.join(';'), hash].join('\n')
}

function signingKey({ region, secretAccessKey }: StorageAccount, date: string): Buffer {
  const ofDay = hmac(`AWS4${secretAccessKey}`, date)
  return hmac(hmac(hmac(ofDay, region), 's3'), 'aws4_request')
}

function parseTime(time: string): number {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? []
  return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)
}

function headerOf({ headers }: HttpRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function percent(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      if (/[A-Za-z0-9_.~-]/.test(character)) return character
      return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: string | Uint8Array, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}

function refusal(code: string, message: string): SignatureProblem {
  return { status: 403, code, message }
}
