import { describe, expect, test } from 'vitest'
import { builtinResources } from '../../../src/sandbox/kubernetes/model/builtin-resources.ts'
import {
  matchesSelector,
  parseFieldSelector,
  parseLabelSelector,
} from '../../../src/sandbox/kubernetes/model/selectors.ts'
import { builtinSchema } from '../../../src/sandbox/kubernetes/schema/builtin-schema.ts'
import { checkFields } from '../../../src/sandbox/kubernetes/schema/check-fields.ts'
import { crdSchema } from '../../../src/sandbox/kubernetes/schema/crd-schema.ts'
import { parseSchemas } from '../../../src/sandbox/kubernetes/schema/parse-schema.ts'
import type { Schema } from '../../../src/sandbox/kubernetes/schema/schema.ts'

function field(schema: Schema | undefined, ...path: string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((found, name) => {
    if (found?.kind === 'list') return field(found.item, name)
    return found?.kind === 'struct' ? found.fields.get(name) : undefined
  }, schema)
}

describe('the built-in schemas', () => {
  test('have every kind that is served, with identity and metadata', () => {
    for (const { kind, virtual, schema } of builtinResources()) {
      if (virtual) continue
      expect(schema, kind).toBe(builtinSchema(kind))
      for (const name of ['apiVersion', 'kind', 'metadata']) {
        expect([...schema.fields.keys()], kind).toContain(name)
      }
    }
  })

  test.each([
    ['Deployment', ['spec', 'template', 'spec', 'containers'], ['name']],
    [
      'Deployment',
      ['spec', 'template', 'spec', 'containers', 'ports'],
      ['containerPort', 'protocol'],
    ],
    ['Service', ['spec', 'ports'], ['port', 'protocol']],
    ['Pod', ['spec', 'containers', 'volumeMounts'], ['mountPath']],
    ['Pod', ['spec', 'hostAliases'], ['ip']],
    ['Node', ['status', 'conditions'], ['type']],
    ['ConfigMap', ['metadata', 'ownerReferences'], ['uid']],
  ])('tell the items of %s %j apart by %j', (kind, path, keys) => {
    const list = field(builtinSchema(kind), ...path)
    expect(list).toMatchObject({ kind: 'list', mode: 'map' })
    expect(list?.kind === 'list' && list.keys.map(({ name }) => name)).toEqual(keys)
  })

  test.each([
    ['Node', ['spec', 'taints']],
    ['Pod', ['spec', 'tolerations']],
    ['Pod', ['spec', 'containers', 'args']],
    ['ClusterRole', ['rules']],
  ])('own the list %s %j as a whole', (kind, path) => {
    expect(field(builtinSchema(kind), ...path)).toMatchObject({ kind: 'list', mode: 'atomic' })
  })
})

test('a table of types is read with all its marks', () => {
  const schema = parseSchemas(`
A: text number:n flag:b size:q open:? map:{s} list:[]s set:[=]s
  keyed:[name,port=80]B whole:B!
B: name port:n
`)('A')
  expect(schema.fields.get('set')).toMatchObject({ mode: 'set', item: { kind: 'string' } })
  expect(schema.fields.get('keyed')).toMatchObject({
    keys: [{ name: 'name' }, { name: 'port', fallback: '80' }],
  })
  expect(schema.fields.get('whole')).toMatchObject({ kind: 'struct', atomic: true })
  expect(schema.fields.get('open')).toEqual({ kind: 'any' })
})

test('a value is compared with its type', () => {
  const pod = {
    metadata: { name: 'a', labels: { x: 1 }, creationTimestamp: null },
    spec: { containers: [{ name: 'a', imagee: 'b' }], restartPolicy: ['Never'] },
    colour: 'red',
  }
  const { unknown, wrong, value } = checkFields(builtinSchema('Pod'), pod)
  expect(unknown).toEqual(['spec.containers[0].imagee', 'colour'])
  expect(wrong).toEqual([
    'metadata.labels.x: expected a string, got a number',
    'spec.restartPolicy: expected a string, got a list',
  ])
  expect(value).not.toHaveProperty('metadata.creationTimestamp')
})

test('the schema of a definition says the same in its own words', () => {
  const schema = crdSchema({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          port: { 'x-kubernetes-int-or-string': true },
          tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
          free: { type: 'object', additionalProperties: { type: 'number' } },
          any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  })
  expect(field(schema, 'spec', 'port')).toEqual({ kind: 'scalar' })
  expect(field(schema, 'spec', 'tags')).toMatchObject({ mode: 'set' })
  expect(field(schema, 'spec', 'free')).toMatchObject({ kind: 'map', value: { kind: 'number' } })
  expect(field(schema, 'spec', 'any')).toEqual({ kind: 'any' })
})

describe('selectors', () => {
  test('of labels in an object: empty ones select everything, missing ones nothing', () => {
    expect(matchesSelector({}, { a: '1' })).toBe(true)
    expect(matchesSelector(undefined, { a: '1' })).toBe(false)
    const expressions = [{ key: 'a', operator: 'In', values: ['1', '2'] }]
    expect(matchesSelector({ matchExpressions: expressions }, { a: '2' })).toBe(true)
    expect(matchesSelector({ matchExpressions: expressions }, { a: '3' })).toBe(false)
  })

  test('of labels in a parameter may hold slashes, dots and spaces', () => {
    const selected = parseLabelSelector('example.org/a = b , c in ( d , e )')
    expect(selected({ 'example.org/a': 'b', c: 'e' })).toBe(true)
    expect(selected({ 'example.org/a': 'b', c: 'f' })).toBe(false)
  })

  test('of fields read absent ones as empty', () => {
    expect(parseFieldSelector('spec.nodeName=')({ spec: {} })).toBe(true)
    expect(parseFieldSelector('spec.nodeName!=w-1,status.phase=Running')({ spec: {} })).toBe(false)
    expect(parseFieldSelector('spec.unschedulable=false')({ spec: {} })).toBe(true)
    expect(() => parseFieldSelector('nonsense')).toThrow('invalid field selector')
  })
})
