import { describe, expect, test } from 'vitest'
import { objectsAt, textAt } from '../../../src/sandbox/kubernetes/model/read-json.ts'
import { configMap, configMaps } from './sample-objects.ts'
import { node, type SimCluster, startCluster } from './sim-cluster.ts'

async function fill({ call }: SimCluster, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const name = `map-${index}`
    const labels = {
      parity: index % 2 === 0 ? 'even' : 'odd',
      ...(index === 0 ? { first: '' } : {}),
    }
    await call('POST', configMaps, { body: { ...configMap(name), metadata: { name, labels } } })
  }
}

async function names({ call }: SimCluster, query: string): Promise<string[]> {
  const { json } = await call('GET', `${configMaps}?${query}`)
  return objectsAt(json, 'items').map((item) => textAt(item, 'metadata', 'name'))
}

describe('lists', () => {
  test.each([
    ['parity=odd', ['map-1', 'map-3']],
    ['parity!=odd,parity', ['map-0', 'map-2']],
    ['parity in (odd,even),!first', ['map-1', 'map-2', 'map-3']],
    ['parity notin (odd),parity', ['map-0', 'map-2']],
    ['first', ['map-0']],
  ])('labels selected by %s', async (selector, expected) => {
    const cluster = await startCluster()
    await fill(cluster, 4)
    expect(await names(cluster, `labelSelector=${encodeURIComponent(selector)}`)).toEqual(expected)
  })

  test('selects by fields', async () => {
    const cluster = await startCluster()
    await fill(cluster, 3)
    expect(await names(cluster, 'fieldSelector=metadata.name%3Dmap-1')).toEqual(['map-1'])
  })

  test('refuses a selector that makes no sense', async () => {
    const { call } = await startCluster()
    expect((await call('GET', `${configMaps}?labelSelector=a%20b`)).status).toBe(400)
  })

  test('comes in pages that together are everything, once', async () => {
    const cluster = await startCluster()
    await fill(cluster, 7)
    const found: string[] = []
    let token = ''
    do {
      const { json } = await cluster.call('GET', `${configMaps}?limit=3&continue=${token}`)
      const items = objectsAt(json, 'items')
      expect(items.length).toBeLessThanOrEqual(3)
      found.push(...items.map((item) => textAt(item, 'metadata', 'name')))
      token = textAt(json, 'metadata', 'continue')
    } while (token !== '')
    expect(found.filter((name) => name.startsWith('map-'))).toHaveLength(7)
    expect(new Set(found).size).toBe(found.length)
  })

  test('do not repeat the kind of built-in objects', async () => {
    const cluster = await startCluster()
    await fill(cluster, 1)
    const { json } = await cluster.call('GET', configMaps)
    expect(json).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' })
    for (const item of objectsAt(json, 'items')) expect(item).not.toHaveProperty('kind')
  })

  test('are tables for who asks for them', async () => {
    const { call, sim } = await startCluster()
    sim.registerNode(node('demo-workers-1', 1))
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
    const { json } = await call('GET', '/api/v1/nodes', { accept })
    expect(json).toMatchObject({
      kind: 'Table',
      columnDefinitions: expect.arrayContaining([expect.objectContaining({ name: 'Status' })]),
      rows: [
        {
          cells: expect.arrayContaining(['demo-workers-1', 'NotReady', 'v1.32.0']),
          object: { kind: 'PartialObjectMetadata' },
        },
      ],
    })
  })
})

describe('watches', () => {
  const merge = { contentType: 'application/merge-patch+json' }

  /** The first `count` events, each as its type and the name of its object; `react` runs after each. */
  async function events(
    cluster: SimCluster,
    query: string,
    count: number,
    react: (index: number) => Promise<unknown> = async () => undefined,
  ): Promise<string[]> {
    const found: string[] = []
    for await (const event of cluster.watch(`${configMaps}?watch=true&${query}`)) {
      found.push(`${textAt(event, 'type')} ${textAt(event, 'object', 'metadata', 'name')}`.trim())
      if (found.length === count) break
      await react(found.length)
    }
    return found
  }

  test('begin with what there is and tell what happens', async () => {
    const cluster = await startCluster()
    await fill(cluster, 1)
    const path = `${configMaps}/map-0`
    const found = await events(cluster, 'labelSelector=parity', 3, (index) =>
      index === 1
        ? cluster.call('PATCH', path, { body: { data: { x: '1' } }, ...merge })
        : cluster.call('DELETE', path),
    )
    expect(found).toEqual(['ADDED map-0', 'MODIFIED map-0', 'DELETED map-0'])
  })

  test('continue from a version, and see an object leave their selection', async () => {
    const cluster = await startCluster()
    await fill(cluster, 2)
    const list = await cluster.call('GET', configMaps)
    const version = textAt(list.json, 'metadata', 'resourceVersion')
    const body = { metadata: { labels: { parity: 'even' } } }
    await cluster.call('PATCH', `${configMaps}/map-1`, { body, ...merge })
    const from = `resourceVersion=${version}`
    expect(await events(cluster, `labelSelector=parity%3Dodd&${from}`, 1)).toEqual([
      'DELETED map-1',
    ])
    expect(await events(cluster, `labelSelector=parity%3Deven&${from}`, 1)).toEqual(['ADDED map-1'])
  })

  test('mark the end of what was there before', async () => {
    const cluster = await startCluster()
    await fill(cluster, 1)
    const query =
      'labelSelector=parity&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    expect(await events(cluster, query, 2)).toEqual(['ADDED map-0', 'BOOKMARK'])
  })

  test('end when their time is over', async () => {
    const { call } = await startCluster()
    const { status } = await call('GET', `${configMaps}?watch=true&timeoutSeconds=1`)
    expect(status).toBe(200)
  })

  test('cannot go back further than the server remembers', async () => {
    const cluster = await startCluster()
    for (let index = 0; index < 4_100; index++) {
      cluster.sim.context.store.put('configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', namespace: 'default' },
        data: { index: String(index) },
      })
    }
    for await (const event of cluster.watch(`${configMaps}?watch=true&resourceVersion=2`)) {
      expect(event).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
    }
  })
})
