import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteLines } from '../../src/commands/talos/byte-lines.ts'

test('bytes in pieces that end anywhere come out as they are, a line in one piece', () => {
  return fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.constantFrom(0, 10, 13, 255))), async (pieces) => {
      async function* sent() {
        for (const piece of pieces) yield { bytes: Uint8Array.from(piece) }
      }
      const lines: Uint8Array[] = []
      for await (const line of byteLines(sent())) lines.push(line)
      expect(Buffer.concat(lines)).toEqual(Buffer.from(pieces.flat()))
      for (const line of lines) expect(line.indexOf(10)).toBeOneOf([-1, line.length - 1])
    }),
  )
})
