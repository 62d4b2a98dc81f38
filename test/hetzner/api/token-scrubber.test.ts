import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTokenScrubber } from '../../../src/hetzner/api/token-scrubber.ts'
import { token } from './scripted-server.ts'

const scrub = createTokenScrubber(token)

describe('the token scrubber', () => {
  test('takes out the prefix that a rate limit message quotes', () => {
    const quoted = `Limit of '3600' requests per hour for token '${token.slice(0, 32)}...' reached.`
    expect(scrub(quoted)).toBe("Limit of '3600' requests per hour for token '***...' reached.")
  })

  test('leaves texts without the token alone', () => {
    expect(scrub('server demo-workers-1 is locked')).toBe('server demo-workers-1 is locked')
    expect(scrub('')).toBe('')
  })

  test('leaves no run of 8 characters of the token in any text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc
              .tuple(fc.nat(token.length - 8), fc.integer({ min: 8, max: 64 }))
              .map(([start, length]) => token.slice(start, start + length)),
          ),
        ),
        (parts) => {
          const clean = scrub(parts.join(''))
          for (let at = 0; at + 8 <= token.length; at++) {
            expect(clean).not.toContain(token.slice(at, at + 8))
          }
        },
      ),
    )
  })
})
