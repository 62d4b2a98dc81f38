import { describe, expect, it } from 'vitest'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { largestFileBytes, unreadableText } from '../../src/spec/yaml/unreadable-text.ts'
import { findingsOf, sampleAnd, sampleFile, sampleWith } from './sample-file.ts'

describe('A text that cannot be a cluster file', () => {
  it.each([
    ['nothing', '', 'spec-empty', 'x.yaml is empty, comments aside'],
    ['blank lines', '\ufeff\n  \r\n', 'spec-empty', 'x.yaml is empty, comments aside'],
    ['comments', '# a\n  # b\n', 'spec-empty', 'x.yaml is empty, comments aside'],
    ['a program', '\x7fELF\0\0', 'spec-binary', 'x.yaml is not a text in UTF-8'],
    ['bytes that are no UTF-8', 'a: \ufffd', 'spec-binary', 'x.yaml is not a text in UTF-8'],
    [
      '5 MB',
      `a: ${'x'.repeat(5 * 1024 * 1024)}`,
      'spec-too-large',
      'x.yaml is larger than 1024 KiB, which no cluster file needs',
    ],
  ])('such as %s has one finding, and the code of its exit', (_name, text, code, message) => {
    const { spec, findings } = loadSpec(text, { fileName: 'x.yaml' })
    expect(spec).toBeUndefined()
    expect(findings).toMatchObject([{ message, position: { line: 1, column: 1 } }])
    expect(unreadableText(text)?.code).toBe(code)
  })

  it('is judged by its bytes, not its characters', () => {
    const text = `# ${'ä'.repeat(largestFileBytes / 2)}\na: 1`
    expect(unreadableText(text)?.code).toBe('spec-too-large')
    expect(unreadableText(sampleFile)).toBeUndefined()
  })

  it('such as a document without values is a file without fields', () => {
    expect(findingsOf('---\n')).toEqual([
      '1:4 error: the file must be a mapping, but is empty -> Start from what `hcloud-talos init` writes.',
    ])
  })
})

describe('A text made to hurt', () => {
  it('an alias bomb is refused, wherever its anchors are', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inner = level === 0 ? 'x' : `*a${level - 1}`
      return `  a${level}: &a${level} [${Array.from({ length: 9 }, () => inner).join(', ')}]`
    })
    const [first = ''] = findingsOf(sampleAnd(`cni:\n values:\n${levels.join('\n')}`))
    expect(first).toMatch(
      /error: this value stands for more than 100000 values, its aliases followed/,
    )
  })

  it('an anchor that is used often is no bomb', () => {
    const pools = Array.from({ length: 49 }, (_, index) => `    - {<<: *base, name: p${index}}`)
    const text = sampleWith(
      '  workers:\n    count: 2\n    type: cx33\n',
      `  workers:\n    - &base {name: base, count: 1, type: cx33}\n${pools.join('\n')}\n`,
    ).replace('count: 3', 'count: 1')
    expect(findingsOf(text)).toEqual([
      '8:3 error: the pools need 51 placement groups (one for each ten nodes of a pool); a Hetzner project holds 50 -> Join small pools.',
    ])
  })

  it.each([
    ['brackets', '['.repeat(5_000)],
    ['braces', '{a: '.repeat(5_000)],
    ['dashes', '- '.repeat(5_000)],
    ['questions', '? '.repeat(3_000)],
    ['aliases that open each other', 'a: &a\n  b: &b\n    c: *a\n    d: *b'],
    ['a merge of what is no mapping', 'a: &a [1]\nb:\n  <<: *a'],
    ['a key that JavaScript knows', '__proto__: {clusterName: x}'],
    ['a directive', '%YAML 1.1\n---\nclusterName: yes'],
  ])('endless %s have a finding', (_name, text) => {
    const { spec, findings } = loadSpec(text)
    expect(spec).toBeUndefined()
    expect(findings.length).toBeGreaterThan(0)
  })

  it('very many mistakes are cut off, the errors before the warnings', () => {
    const keys = Array.from({ length: 3_000 }, (_, index) => `x${index}: 1`).join('\n')
    const { findings } = loadSpec(`${keys}\n${sampleFile.split('state:')[0]}`)
    expect(findings).toHaveLength(100)
    expect(findings.every(({ severity }) => severity === 'error')).toBe(true)
  })
})

describe('A secret in the wrong place', () => {
  const secret = 'AGE-SECRET-KEY-1QQPQYYSZQGFPY9X8GF2TVDW0S3JN54KHCE6MUA7L'
  const places: [string, string][] = [
    [
      'a recipient',
      sampleWith('age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7', secret),
    ],
    ['a region', sampleWith('hel1', secret)],
    ['a token as a server type', sampleWith('cx23', 'k'.repeat(64))],
    ['a key', sampleAnd(`${secret}: 1`)],
    ['a choice', sampleAnd(`cni: {type: ${secret}}`)],
    ['a list', sampleAnd(`firewall: ${secret}`)],
  ]

  it.each(places)('such as %s is in no finding', (_name, text) => {
    const found = findingsOf(text).join('\n')
    expect(found).toMatch(/error/)
    expect(found).not.toContain(secret)
    expect(found).not.toContain('k'.repeat(20))
  })
})
