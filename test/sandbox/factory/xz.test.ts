import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readXz, writeXz } from '../../../src/sandbox/factory/xz.ts'

const contents = fc.uint8Array({ maxLength: 150_000 }).map((bytes) => Buffer.from(bytes))

it('what was packed is unpacked', () => {
  fc.assert(
    fc.property(contents, (content) => {
      expect(readXz(writeXz(content))?.equals(content)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

it('a byte that is missing or wrong is noticed, wherever it is', () => {
  const packed = writeXz(Buffer.from('a disk'))
  for (let at = 0; at < packed.length; at++) {
    expect(readXz(packed.subarray(0, at)), `cut at ${at}`).toBeUndefined()
    const spoilt = Buffer.from(packed)
    spoilt[at] = (spoilt[at] ?? 0) ^ 0xff
    expect(readXz(spoilt), `wrong at ${at}`).toBeUndefined()
  }
})
