import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonValues, mergeValues } from '../../src/addons/merge-values.ts'

test('objects are merged key by key, everything else is replaced', () => {
  expect(mergeValues({ a: { b: 1, c: [1, 2] }, d: 1 }, { a: { c: [3] }, e: 2 })).toEqual({
    a: { b: 1, c: [3] },
    d: 1,
    e: 2,
  })
})

test('null stays, so that helm takes away a default', () => {
  expect(mergeValues({ a: { b: 1 } }, { a: null })).toEqual({ a: null })
})

test('nothing over something is something, and something over itself is itself', () => {
  const values = fc.dictionary(fc.string(), fc.jsonValue()).map(jsonValues)
  fc.assert(
    fc.property(values, (some) => {
      expect(mergeValues(some, {})).toEqual(some)
      expect(mergeValues({}, some)).toEqual(some)
      expect(mergeValues(some, some)).toEqual(some)
    }),
  )
})

test('a key of any name is a key, also one that objects have a meaning for', () => {
  const odd = jsonValues(JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}'))
  expect(JSON.stringify(mergeValues(odd, {}))).toBe(JSON.stringify(odd))
  expect(JSON.stringify(mergeValues({}, odd))).toBe(JSON.stringify(odd))
})
