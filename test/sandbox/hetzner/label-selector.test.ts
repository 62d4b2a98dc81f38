import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSelector } from '../../../src/sandbox/hetzner/label-selector.ts'

const labels = { role: 'worker', 'example.com/tier': 'a', empty: '' }

test.for([
  ['role', true],
  ['!role', false],
  ['absent', false],
  ['!absent', true],
  ['role=worker', true],
  ['role==worker', true],
  ['role!=worker', false],
  ['absent!=worker', true],
  ['empty=', true],
  ['role in (worker, control-plane)', true],
  ['role notin (worker)', false],
  ['absent notin (worker)', true],
  ['absent in (worker)', false],
  ['example.com/tier=a,role in (x,worker),!absent', true],
  ['example.com/tier=b,role', false],
] as const)('The selector %s', ([selector, fits]) => {
  expect(parseSelector(selector)?.(labels)).toBe(fits)
})

test.for(['', ',', 'a b', 'role in worker', 'role in (', '-a', 'role=-x', 'a=b,', 'a=b=c', '!a=b'])(
  'The text "%s" is no selector',
  (selector) => {
    expect(parseSelector(selector)).toBeUndefined()
  },
)

const key = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
const value = fc.stringMatching(/^[a-z0-9]{0,5}$/)

test('A term and its opposite never both fit', () => {
  fc.assert(
    fc.property(key, value, fc.dictionary(key, value), (name, wanted, some) => {
      const pairs = [
        [`${name}=${wanted}`, `${name}!=${wanted}`],
        [name, `!${name}`],
        [`${name} in (${wanted})`, `${name} notin (${wanted})`],
      ]
      for (const [term = '', opposite = ''] of pairs) {
        expect(parseSelector(term)?.(some)).toBe(!parseSelector(opposite)?.(some))
      }
    }),
  )
})
