import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPlainSnapshot, watchForAuthority } from '../../src/backup/plain-snapshot.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { createAuthority, reissueAuthority } from '../../src/talos/config/certificate-authority.ts'
import { fixedKeyMaker } from '../talos/fixed-key-maker.ts'

const day = 86_400_000

/** An authority of some years ago, that which took its place over the same key, and that of another cluster. */
async function authorities() {
  const environment = (now: number) => ({
    keys: fixedKeyMaker,
    random: seededRandom(now),
    clock: { now: () => now, sleep: async () => undefined },
  })
  const now = Date.parse('2026-11-29T00:00:00Z')
  const own = await createAuthority(
    'ecdsa-p256',
    { organizations: ['kubernetes'] },
    environment(now - 3_500 * day),
  )
  const renewed = reissueAuthority(own, environment(now))
  const other = await createAuthority(
    'ecdsa-p256',
    { organizations: ['kubernetes'] },
    environment(now - day),
  )
  return { own: own.crt, renewed: renewed.crt, other: other.crt }
}

async function sees(authority: string, content: Buffer, length: number): Promise<boolean> {
  async function* pieces() {
    for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length)
  }
  const { bytes, sawAuthority } = watchForAuthority(pieces(), authority)
  const passed: Uint8Array[] = []
  for await (const piece of bytes) passed.push(piece)
  expect(Buffer.concat(passed).equals(content)).toBe(true)
  return sawAuthority()
}

it('an authority is found in what passes by its key, however that is cut, whichever of its certificates is there', async () => {
  const { own, renewed, other } = await authorities()
  expect(renewed).not.toBe(own)
  const noise = fc
    .tuple(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('', '-----BEGIN CERTIFICATE-----', '-----'),
    )
    .map(([bytes, text]) => Buffer.concat([bytes, Buffer.from(text)]))
  await fc.assert(
    fc.asyncProperty(noise, noise, fc.integer({ min: 1, max: 9_000 }), async (a, b, length) => {
      const holding = (pem: string) => Buffer.concat([a, Buffer.from(pem), b])
      expect(await sees(own, holding(own), length)).toBe(true)
      expect(await sees(renewed, holding(own), length)).toBe(true)
      expect(await sees(renewed, holding(JSON.stringify({ own })), length)).toBe(true)
      expect(await sees(own, holding(`${other}${renewed}`), length)).toBe(true)
      expect(await sees(own, holding(other), length)).toBe(false)
      expect(await sees(own, holding(own.slice(0, -40)), length)).toBe(false)
    }),
    { numRuns: 40 },
  )
})

it('what is no authority is found nowhere', async () => {
  expect(
    await sees('', Buffer.from('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----'), 7),
  ).toBe(false)
})

it('a database of bolt is told by its first page', () => {
  const page = Buffer.alloc(4_096)
  expect(isPlainSnapshot(page)).toBe(false)
  page.writeUInt32LE(0xed0cdaed, 16)
  expect(isPlainSnapshot(page)).toBe(true)
  expect(isPlainSnapshot(page.subarray(0, 12))).toBe(false)
})

it('a snapshot full of beginnings of certificates is searched in one pass, and still found in', async () => {
  const { own, other } = await authorities()
  const begin = '-----BEGIN CERTIFICATE-----'
  const block = Buffer.from(`${begin.repeat(280)}-----END CERTIFICATE-----`)
  const hostile = Buffer.concat([...Array.from({ length: 2_000 }, () => block), Buffer.from(own)])
  expect(hostile.length).toBeGreaterThan(15_000_000)
  expect(await sees(own, hostile, 65_536)).toBe(true)
  expect(await sees(other, hostile, 65_536)).toBe(false)
})
