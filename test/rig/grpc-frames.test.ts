import fc from 'fast-check'
import { expect, it } from 'vitest'
import { frame, unframe } from '../../rig/talos/grpc-frames.ts'

const messages = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 })

it('what was framed is read again, message by message', () => {
  fc.assert(
    fc.property(messages, (sent) => {
      const read = unframe(Buffer.concat(sent.map(frame)))
      expect(read.map((each) => [...each])).toEqual(sent.map((each) => [...each]))
    }),
  )
})

it('a message that is cut off, or compressed, is no message', () => {
  const whole = frame(new Uint8Array([1, 2, 3]))
  for (let length = 1; length < whole.length; length++) {
    expect(() => unframe(whole.subarray(0, length))).toThrow()
  }
  whole[0] = 1
  expect(() => unframe(whole)).toThrow()
})
