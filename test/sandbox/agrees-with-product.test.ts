import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as ours from '../../src/lib/cidr.ts'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { applyJsonPatch } from '../../src/lib/json-patch.ts'
import * as theirs from '../../src/sandbox/ip-range.ts'
import { jsonPatch } from '../../src/sandbox/kubernetes/apply/json-patch.ts'

/** The sandbox has its own address maths and JSON patches: two readings of the same rules, which must agree. */
describe('ranges of addresses', () => {
  const octet = fc.oneof(fc.constantFrom(0, 1, 10, 128, 192, 255, 256), fc.nat(255))
  const address = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'))
  const range = fc
    .tuple(fc.nat(2 ** 32 - 1), fc.integer({ min: 8, max: 32 }))
    .map(([first, prefix]) => {
      const size = 2 ** (32 - prefix)
      return { first: Math.floor(first / size) * size, prefix }
    })
  const text = fc.oneof(
    range.map(ours.formatCidr),
    fc.tuple(address, fc.integer({ min: 0, max: 34 })).map(([at, bits]) => `${at}/${bits}`),
    fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 130 })).map(([at, bits]) => `${at}/${bits}`),
    fc.constantFrom('', '/', '10.0.0.0', '10.0.0.0/', '10.0.0.0/8/8', '010.0.0.0/8', '::/0', 'x'),
  )

  test('are read, compared and counted alike', () => {
    fc.assert(
      fc.property(text, range, range, address, (written, a, b, at) => {
        expect(theirs.parseCidr(written)).toEqual(ours.parseCidr(written))
        expect(theirs.isNetworkCidr(written)).toBe(ours.isNetworkCidr(written))
        expect(theirs.formatCidr(a)).toBe(ours.formatCidr(a))
        expect(theirs.cidrContains(a, b)).toBe(ours.cidrContains(a, b))
        expect(theirs.cidrsOverlap(a, b)).toBe(ours.cidrsOverlap(a, b))
        expect(theirs.cidrHasAddress(a, at)).toBe(ours.cidrHasAddress(a, at))
        expect(theirs.cidrHost(a, -1)).toBe(ours.cidrHost(a, -1))
      }),
      { numRuns: 500 },
    )
  })
})

describe('JSON patches', () => {
  const key = fc.constantFrom('a', 'b', 'a/b', 'm~n', '0')
  const { document } = fc.letrec<{ document: Json; list: Json[]; object: JsonObject }>((tie) => ({
    document: fc.oneof({ maxDepth: 3 }, fc.nat(3), fc.boolean(), tie('object'), tie('list')),
    list: fc.array(tie('document'), { maxLength: 3 }),
    object: fc.dictionary(key, tie('document'), { maxKeys: 3 }),
  }))
  const step = fc.oneof(key, fc.constantFrom('-', '1', '2', '01', ''))
  const pointer = fc
    .array(step, { minLength: 1, maxLength: 3 })
    .map((steps) => steps.map((one) => `/${one.replace('~', '~0').replace('/', '~1')}`).join(''))
  const operation: fc.Arbitrary<JsonObject> = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value: document }),
    fc.record({ op: fc.constant('remove'), path: pointer }),
    fc.record({ op: fc.constantFrom('move', 'copy'), from: pointer, path: pointer }),
  )
  const attempt = (work: () => Json) => {
    try {
      return work()
    } catch {
      return 'refused'
    }
  }

  test('make the same of a document, or are refused by both', () => {
    fc.assert(
      fc.property(
        fc.record({ a: document, b: document }),
        fc.array(operation, { maxLength: 3 }),
        (target, patch) => {
          const before = structuredClone(target)
          expect(attempt(() => jsonPatch(target, patch))).toEqual(
            attempt(() => applyJsonPatch(target, patch)),
          )
          expect(target).toEqual(before)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
