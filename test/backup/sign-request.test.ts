import { expect, test } from 'vitest'
import { signRequest, type UnsignedRequest } from '../../src/backup/s3/sign-request.ts'
import { signatureProblem } from '../../src/sandbox/storage/check-signature.ts'

/** The examples of Amazon's own documentation ("Authenticating Requests: Using the Authorization Header"). */
const account = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const now = Date.parse('2013-05-24T00:00:00Z')
const bucket = 'https://examplebucket.s3.amazonaws.com'

interface Example extends Omit<UnsignedRequest, 'url' | 'body'> {
  readonly path: string
  readonly body?: string
  readonly signature: string
}

const examples: readonly Example[] = [
  {
    method: 'GET',
    path: '/test.txt',
    headers: { range: 'bytes=0-9' },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    method: 'PUT',
    path: '/test%24file.text',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    body: 'Welcome to Amazon S3.',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    method: 'GET',
    path: '/?lifecycle',
    headers: {},
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    method: 'GET',
    path: '/?max-keys=2&prefix=J',
    headers: {},
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
]

function received({ method, path, body = '' }: Example, headers: Record<string, string>) {
  const url = new URL(path, bucket)
  return {
    method,
    url,
    text: body,
    body: Buffer.from(body),
    headers: { ...headers, host: url.host },
    authorization: headers['authorization'],
    remoteAddress: '127.0.0.1',
    fault: undefined,
  }
}

function sign({ method, path, headers, body = '' }: Example) {
  const url = new URL(path, bucket)
  return signRequest({ method, url, headers, body: Buffer.from(body) }, account, now)
}

test.each(examples)('$method $path is signed as Amazon signs it', (example) => {
  expect(sign(example)['authorization']).toMatch(new RegExp(`Signature=${example.signature}$`))
})

test.each(examples)('$method $path passes the sandbox, and nothing that was changed', (example) => {
  const headers = sign(example)
  const check = (changed: Partial<Example>, more: Record<string, string> = {}, at = now) =>
    signatureProblem(received({ ...example, ...changed }, { ...headers, ...more }), account, at)
      ?.code
  expect(check({})).toBeUndefined()
  expect(check({ path: '/another' })).toBe('SignatureDoesNotMatch')
  expect(check({ method: 'DELETE' })).toBe('SignatureDoesNotMatch')
  expect(check({ body: 'Another body' })).toBe('XAmzContentSHA256Mismatch')
  expect(check({}, {}, now + 3_600_000)).toBe('RequestTimeTooSkewed')
  expect(check({}, { authorization: 'Bearer x' })).toBe('AccessDenied')
})
