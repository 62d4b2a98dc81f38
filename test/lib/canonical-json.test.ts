import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, jsonDigest, jsonEquals } from '../../src/lib/canonical-json.ts'
import type { Json } from '../../src/lib/json.ts'

const values = fc
  .jsonValue({ maxDepth: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json)

function shuffled(value: Json): Json {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, shuffled(child)]),
  )
}

describe('canonical JSON', () => {
  test('does not depend on the order of keys, and neither does its digest', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value))
        expect(jsonDigest(shuffled(value))).toBe(jsonDigest(value))
        expect(jsonEquals(value, shuffled(value))).toBe(true)
      }),
    )
  })

  test('reads back as the same value', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value))
      }),
    )
  })

  test('a digest is the SHA-256 that everybody knows', () => {
    // sha256 of the two bytes `{}`, as printed by sha256sum.
    expect(jsonDigest({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
  })
})
