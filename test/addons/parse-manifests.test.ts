import { expect, test } from 'vitest'
import { parseManifests } from '../../src/addons/parse-manifests.ts'
import { sortHooks } from '../../src/addons/sort-hooks.ts'
import type { KubernetesObject } from '../../src/lib/kubernetes-object.ts'

test('numbers and words are read as Kubernetes reads them', () => {
  const [object] = parseManifests(
    [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata: {name: a}',
      'mode: 0400',
      'on: yes',
      'time: 12:30',
      'date: 2026-01-01',
      'nothing:',
      'list: [{empty: null, full: 1}]',
    ].join('\n'),
  )
  expect(object).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    mode: 256,
    true: true,
    time: '12:30',
    date: '2026-01-01',
    list: [{ full: 1 }],
  })
})

test('empty documents are left out and lists are taken apart', () => {
  const text = [
    '---\n# only a comment\n',
    '---\napiVersion: v1\nkind: ConfigMapList\nitems:\n',
    '- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n',
    '- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n',
  ].join('')
  expect(parseManifests(text).map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
})

test.each([
  ['kind: [', /cannot be read/],
  ['just: text', /no object/],
])('%s is a failure of helm', (text, message) => {
  expect(() => parseManifests(text)).toThrow(message)
})

function hook(name: string, hooks: string, weight = '0'): KubernetesObject {
  const annotations = { 'helm.sh/hook': hooks, 'helm.sh/hook-weight': weight }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, annotations } }
}

const plain: KubernetesObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'plain' } }

test('hooks are told from objects, in the order of their weight', () => {
  const sorted = sortHooks([
    hook('late', 'post-install,post-upgrade', '5'),
    plain,
    hook('early', 'post-install', '-5'),
    hook('before', 'pre-install,pre-upgrade'),
    hook('crd', 'crd-install'),
    hook('test', 'test'),
  ])
  const names = (objects: readonly KubernetesObject[]) =>
    objects.map(({ metadata }) => metadata.name)
  expect(names(sorted.objects)).toEqual(['plain', 'crd'])
  expect(names(sorted.hooks.before)).toEqual(['before'])
  expect(names(sorted.hooks.after)).toEqual(['early', 'late'])
})

test.each(['pre-delete', 'post-delete'])('a %s hook is left out, and named', (name) => {
  const sorted = sortHooks([hook('cleanup', name), plain])
  expect(sorted.objects).toEqual([plain])
  expect(sorted.hooks).toEqual({ before: [], after: [] })
  expect(sorted.leftOut).toEqual([`Job cleanup (${name})`])
})

test('a hook that nobody knows is refused', () => {
  expect(() => sortHooks([hook('cleanup', 'whatever')])).toThrow('Job cleanup is a whatever hook')
})
