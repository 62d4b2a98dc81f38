import { describe, expect, test } from 'vitest'
import {
  describeFile,
  type Manifest,
  manifestBytes,
  parseManifest,
} from '../../src/store/files/manifest.ts'

const digest = 'ab'.repeat(32)
const manifest: Manifest = {
  format: 1,
  repository: 'org/clusters',
  cluster: 'demo',
  uid: '0123456789abcdef',
  generation: 7,
  previous: digest,
  keyEpoch: 1,
  recipients: digest,
  specDigest: null,
  appliedCommit: null,
  toolVersion: '1.0.0',
  writer: { run: 'gh-7-apply', attempt: 1, nonce: 'n' },
  writtenAt: '2026-11-28T00:00:00.000Z',
  files: [describeFile('inventory.json', Buffer.from('{}\n'))],
}
const text = Buffer.from(manifestBytes(manifest)).toString('utf8')

test('a manifest is read as it was written', () => {
  expect(parseManifest(Buffer.from(text), 'demo')).toEqual(manifest)
})

describe('a manifest whose bytes say the same in another way is refused, whoever signed it:', () => {
  test.each([
    ['spread over lines', JSON.stringify(manifest, null, 2)],
    ['in another order', JSON.stringify(Object.fromEntries(Object.entries(manifest).reverse()))],
    ['with a key twice, of which parsers keep one', text.replace('{', '{"generation":9,')],
    ['with something behind it', `${text}\n\n`],
    ['with an escaped letter', text.replace('"demo"', '"\\u0064emo"')],
    ['with a field that nobody knows', text.replace('{', '{"aside":1,')],
  ])('%s', (_what, bytes) => {
    expect(bytes).not.toBe(text)
    expect(() => parseManifest(Buffer.from(bytes), 'demo')).toThrow(
      expect.objectContaining({ code: 'state-manifest-unreadable' }),
    )
  })
})
