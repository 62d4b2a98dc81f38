import { expect, test } from 'vitest'
import { selectorMatches } from '../../src/kubernetes/label-selector.ts'

const labels = { app: 'web', tier: 'front' }
const expression = (key: string, operator: string, values: string[] = []) => ({
  matchExpressions: [{ key, operator, values }],
})

test.each([
  [{ matchLabels: { app: 'web' } }, true],
  [{ matchLabels: { app: 'web', tier: 'back' } }, false],
  [{}, true],
  [undefined, false],
  [expression('app', 'In', ['web', 'api']), true],
  [expression('app', 'NotIn', ['web']), false],
  [expression('zone', 'NotIn', ['a']), true],
  [expression('tier', 'Exists'), true],
  [expression('zone', 'DoesNotExist'), true],
  [expression('zone', 'Exists'), false],
])('%j', (selector, expected) => {
  expect(selectorMatches(selector, labels)).toBe(expected)
})
