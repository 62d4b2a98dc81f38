import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPlainSnapshot, watchForCertificate } from '../../src/backup/plain-snapshot.ts'

const line = (seed: number) =>
  Buffer.from(Array.from({ length: 48 }, (_, index) => (index * seed) % 256)).toString('base64')
const pem = `-----BEGIN CERTIFICATE-----\n${line(3)}\n${line(5)}\nshort=\n-----END CERTIFICATE-----\n`

async function sees(content: Buffer, length: number): Promise<boolean> {
  async function* pieces() {
    for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length)
  }
  const { bytes, sawCertificate } = watchForCertificate(pieces(), pem)
  const passed: Uint8Array[] = []
  for await (const piece of bytes) passed.push(piece)
  expect(Buffer.concat(passed).equals(content)).toBe(true)
  return sawCertificate()
}

it('a certificate is found in what passes, however it is cut, and only a whole one', async () => {
  const noise = fc.uint8Array({ maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(noise, noise, fc.integer({ min: 1, max: 200 }), async (a, b, length) => {
      expect(await sees(Buffer.concat([a, Buffer.from(pem), b]), length)).toBe(true)
      const other = pem.replace(line(5), line(7))
      expect(await sees(Buffer.concat([a, Buffer.from(other), b]), length)).toBe(false)
    }),
  )
})

it('a database of bolt is told by its first page', () => {
  const page = Buffer.alloc(4_096)
  expect(isPlainSnapshot(page)).toBe(false)
  page.writeUInt32LE(0xed0cdaed, 16)
  expect(isPlainSnapshot(page)).toBe(true)
  expect(isPlainSnapshot(page.subarray(0, 12))).toBe(false)
})
