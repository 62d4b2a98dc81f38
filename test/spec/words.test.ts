import { describe, expect, it } from 'vitest'
import { nearestName } from '../../src/spec/nearest-name.ts'
import { describeValue, quoteValue } from '../../src/spec/quote-value.ts'

describe('The nearest name', () => {
  const names = ['sshKeys', 'region', 'networkZone', 'hel1']

  it.each([
    ['sshkeys', 'sshKeys'],
    ['ssh_keys', 'sshKeys'],
    ['network-zone', 'networkZone'],
    ['regoin', 'region'],
    ['hel2', 'hel1'],
    ['frankfurt', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('to %.20s is %s', (written, near) => {
    expect(nearestName(written, names)).toBe(near)
  })

  it('is none where there are no names', () => {
    expect(nearestName('a', [])).toBeUndefined()
  })
})

describe('A value in a message', () => {
  it.each<[unknown, string]>([
    [null, 'empty'],
    [[], 'a list'],
    [{}, 'a mapping'],
    ['', 'an empty text'],
    ['a\n  b', 'the text `a b`'],
    [3, 'the number `3`'],
    [true, '`true`'],
  ])('%j is %s', (value, words) => {
    expect(describeValue(value)).toBe(words)
  })

  it('is short, on one line, and cannot end its own backticks', () => {
    expect(quoteValue('x'.repeat(100)).length).toBeLessThan(70)
    expect(quoteValue('a`b')).toBe("`a'b`")
  })

  it.each([
    'AGE-SECRET-KEY-1ABC',
    'a'.repeat(64),
    'ghp_abc',
    'github_pat_x',
    '-----BEGIN EC PRIVATE KEY-----',
  ])('is hidden where it looks like a secret: %.12s', (text) => {
    expect(quoteValue(text)).not.toContain(text)
  })
})
