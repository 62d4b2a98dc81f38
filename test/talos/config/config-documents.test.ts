import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseConfigDocuments } from '../../../src/talos/config/config-documents.ts'
import { readingOf } from '../../../src/talos/config/field-reading.ts'
import { structs } from '../../../src/talos/config/gen/talos-fields.ts'
import { formatYamlDocuments } from '../../../src/talos/config/yaml-documents.ts'

describe('a value is what its field takes', () => {
  const read = (field: string, value: string) =>
    parseConfigDocuments(`machine: {${field}: ${value}}`)
  test.each([
    ['sysctls', '{a: 1.10, b: 0123, c: 1e3, d: yes}', { a: '1.10', b: '0123', c: '1e3', d: 'yes' }],
    ['sysctls', '{a: ~, b: }', { a: '', b: '' }],
    ['sysctls', '{a: !!binary aGk=, b: !!str 0x10}', { a: 'hi', b: '0x10' }],
    ['files', '[{permissions: 0644}]', [{ permissions: 0o644 }]],
    ['files', '[{permissions: 0o644, path: 1}]', [{ permissions: 0o644, path: '1' }]],
    ['install', '{wipe: yes, disk: ~}', { wipe: true, disk: null }],
    ['install', '{wipe: "no"}', { wipe: false }],
    ['time', '{bootTimeout: 5m}', { bootTimeout: '5m' }],
    [
      'network',
      '{interfaces: [{mtu: 1e3, dhcp: On}]}',
      { interfaces: [{ mtu: 1000, dhcp: true }] },
    ],
    ['kubelet', '{extraArgs: {v: [0644, 1.10]}}', { extraArgs: { v: ['0644', '1.10'] } }],
    ['kubelet', '{extraConfig: {a: ~}}', { extraConfig: { a: null } }],
    ['kubelet', '{extraConfig: {a: 0100, b: 1.10}}', { extraConfig: { a: 64, b: 1.1 } }],
    ['nobody', '{knows: 0100}', { knows: 64 }],
  ])('%s: %s', (field, value, expected) => {
    expect(read(field, value)).toEqual([{ machine: { [field]: expected } }])
  })

  test('through anchors and merge keys', () => {
    const text = 'machine: {env: &e {A: 1.0}, sysctls: {<<: *e, b: 0x1}, nodeLabels: *e}'
    expect(parseConfigDocuments(text)).toEqual([
      { machine: { env: { A: '1.0' }, sysctls: { b: '0x1', A: '1.0' }, nodeLabels: { A: '1.0' } } },
    ])
  })

  test('in a document of a kind', () => {
    const text = 'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: off\n---\n# nothing\n---\n'
    expect(parseConfigDocuments(text)).toEqual([
      { apiVersion: 'v1alpha1', kind: 'HostnameConfig', auto: 'off' },
    ])
  })

  test.each([
    ['an alias of itself', 'machine: &a {b: *a}'],
    ['aliases without end', bomb()],
    ['an alias of nothing', 'machine: *a'],
    ['a list as a key', '? [a]\n: b'],
    ['a tag that does not fit', 'machine: {type: !!int yes}'],
    ['a day where anything may stand', 'machine: {kubelet: {extraConfig: {a: 2001-01-01}}}'],
    ['what is not finite', 'machine: {kubelet: {extraConfig: {a: .inf}}}'],
    ['nothing as a key', 'machine: {sysctls: {~: a}}'],
    ['a tag of nobody', 'machine: {type: !mine yes}'],
  ])('is refused with %s', (_, text) => {
    expect(() => parseConfigDocuments(text)).toThrow(
      expect.objectContaining({ name: 'YamlProblem' }),
    )
  })
})

function bomb(): string {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const items = Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*l${level - 1}`))
    return `l${level}: &l${level} [${items.join(', ')}]`
  })
  return levels.join('\n')
}

test('a field that changed between the minors of Talos is read the same way in all of them', () => {
  const changed = Object.values(structs)
    .flatMap((fields) => Object.values(fields))
    .filter((kinds) => kinds.includes('|'))
    .map((kinds) => kinds.split('|').map((kind) => kind.split(' ')[0] ?? ''))
  const leaf = (kind: string) => kind.replace(/^({}|\[\])+/, '')
  for (const kinds of changed) {
    expect(new Set(kinds.map((kind) => readingOf(leaf(kind)))).size, kinds.join()).toBe(1)
  }
})

test('what we write is read back as it was, whatever a text looks like', () => {
  const looks = [
    '1.10',
    '0123',
    '0o17',
    '1_000',
    'yes',
    '~',
    '2001-01-01',
    '.inf',
    '<<',
    '=',
    '1e3',
  ]
  const value = fc.oneof(fc.constantFrom(...looks), fc.string(), fc.integer(), fc.boolean())
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z0-9.~_]{1,6}$/), value), (extraConfig) => {
      const document = { machine: { kubelet: { extraConfig } } }
      expect(parseConfigDocuments(formatYamlDocuments([document]))).toEqual([document])
    }),
  )
})
