import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import {
  canBeOnGithub,
  parseAction,
  publishedAction,
  usesOf,
} from '../../src/lib/published-action.ts'

test('package.json says where the suite is published, and at which version', () => {
  expect(manifest.repository.url).toContain(`github.com/${publishedAction.name}`)
  expect(usesOf(publishedAction)).toBe(`${publishedAction.name}@v${manifest.version}`)
  expect(usesOf({ name: 'acme/suite', ref: 'v1.2.3' }, 'actions/destroy')).toBe(
    'acme/suite/actions/destroy@v1.2.3',
  )
})

test('a placeholder is a name that no account on GitHub can have', () => {
  for (const name of ['acme/hcloud-talos', 'a-b/c.d', 'A1/x', `${'a'.repeat(39)}/x`]) {
    expect([name, canBeOnGithub(name)]).toEqual([name, true])
  }
  const impossible = [
    '__OWNER__/x',
    '<owner>/x',
    'a_b/x',
    '-a/x',
    'a-/x',
    'a--b/x',
    'a',
    'a/',
    '/x',
  ]
  for (const name of [...impossible, 'a/b/c', `${'a'.repeat(40)}/x`, './x', 'a/b c']) {
    expect([name, canBeOnGithub(name)]).toEqual([name, false])
  }
})

test('an action is named by its repository and a ref; without one it is this version', () => {
  expect(parseAction('acme/suite@v1')).toEqual({ name: 'acme/suite', ref: 'v1' })
  expect(parseAction('acme/suite')).toEqual({ name: 'acme/suite', ref: publishedAction.ref })
  for (const text of [
    '',
    'acme',
    '__OWNER__/suite@v1',
    'acme/suite@',
    'acme/suite@a@b',
    'a/b@x y',
  ]) {
    expect([text, parseAction(text)]).toEqual([text, undefined])
  }
})
