import { describe, expect, test } from 'vitest'
import { jsonPatch } from '../../../src/sandbox/kubernetes/apply/json-patch.ts'
import { mergePatch } from '../../../src/sandbox/kubernetes/apply/merge-patch.ts'
import { strategicMergePatch } from '../../../src/sandbox/kubernetes/apply/strategic-merge-patch.ts'
import { builtinSchema } from '../../../src/sandbox/kubernetes/schema/builtin-schema.ts'
import { configMap, configMaps, deployment, deployments } from './sample-objects.ts'
import { startCluster } from './sim-cluster.ts'

describe('a merge patch', () => {
  test.each([
    [{ a: 1, b: 2 }, { b: null }, { a: 1 }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3, c: 2 } }],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    [{}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  ])('turns %j with %j into %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result)
  })
})

describe('a JSON patch', () => {
  test.each([
    [{ a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    [{ a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    [{ a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    [{ a: { 'x/y': 1 } }, [{ op: 'replace', path: '/a/x~1y', value: 2 }], { a: { 'x/y': 2 } }],
    [{ a: [1, 2] }, [{ op: 'remove', path: '/a/0' }], { a: [2] }],
    [{ a: 1 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
    [{ a: 1 }, [{ op: 'copy', from: '/a', path: '/b' }], { a: 1, b: 1 }],
    [{ a: [1, 2] }, [{ op: 'replace', path: '/a/0', value: 5 }], { a: [5, 2] }],
  ])('turns %j with %j into %j', (target, patch, result) => {
    expect(jsonPatch(target, patch)).toEqual(result)
  })

  test('is refused where a test fails or a path leads nowhere', () => {
    expect(() => jsonPatch({ a: 1 }, [{ op: 'test', path: '/a', value: 2 }])).toThrow('testing')
    expect(() => jsonPatch({ a: 1 }, [{ op: 'remove', path: '/b' }])).toThrow('/b')
  })
})

describe('a strategic merge patch', () => {
  const pod = builtinSchema('PodSpec')
  const spec = {
    containers: [
      { name: 'a', image: 'a:1', ports: [{ containerPort: 80, name: 'http' }] },
      { name: 'b', image: 'b:1' },
    ],
    nodeSelector: { disk: 'ssd' },
  }

  test.each([
    [
      'merges list items by their key',
      { containers: [{ name: 'b', image: 'b:2' }] },
      {
        containers: [spec.containers[0], { name: 'b', image: 'b:2' }],
        nodeSelector: { disk: 'ssd' },
      },
    ],
    [
      'deletes an item by directive',
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [spec.containers[1]], nodeSelector: { disk: 'ssd' } },
    ],
    [
      'replaces a whole list by directive',
      { containers: [{ $patch: 'replace' }, { name: 'c', image: 'c:1' }] },
      { containers: [{ name: 'c', image: 'c:1' }], nodeSelector: { disk: 'ssd' } },
    ],
    ['takes a field away', { nodeSelector: null }, { containers: spec.containers }],
    [
      'sets the order of items',
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
      { containers: [spec.containers[1], spec.containers[0]], nodeSelector: { disk: 'ssd' } },
    ],
    [
      'keeps only some fields',
      { $retainKeys: ['containers'], containers: [{ name: 'a', image: 'a:1' }] },
      { containers: spec.containers },
    ],
  ])('%s', (_, patch, result) => {
    expect(strategicMergePatch(pod, spec, patch)).toEqual(result)
  })

  test('takes values out of sets', () => {
    const meta = builtinSchema('ObjectMeta')
    const patch = { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c'] }
    expect(strategicMergePatch(meta, { finalizers: ['a', 'b'] }, patch)).toEqual({
      finalizers: ['b', 'c'],
    })
  })
})

test('patches reach objects over the wire, each by its media type', async () => {
  const { call } = await startCluster()
  await call('POST', deployments, { body: deployment() })
  const patch = (form: string, body: object) =>
    call('PATCH', `${deployments}/web`, { body, contentType: `application/${form}+json` })
  const image = {
    spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:2' }] } } },
  }
  const strategic = await patch('strategic-merge-patch', image)
  expect(strategic.json).toMatchObject({
    spec: { template: { spec: { containers: [{ image: 'nginx:2', resources: {} }] } } },
  })
  const json = await patch('json-patch', [{ op: 'replace', path: '/spec/replicas', value: 7 }])
  expect(json.json).toMatchObject({ spec: { replicas: 7 } })
  expect((await patch('nonsense', {})).status).toBe(415)
})

test('a patch that changes nothing writes nothing', async () => {
  const { call, get } = await startCluster()
  await call('POST', configMaps, { body: configMap('a', { x: '1' }) })
  const before = get('configmaps', 'default/a')?.metadata.resourceVersion
  await call('PATCH', `${configMaps}/a`, {
    body: { data: { x: '1' } },
    contentType: 'application/merge-patch+json',
  })
  expect(get('configmaps', 'default/a')?.metadata.resourceVersion).toBe(before)
})
