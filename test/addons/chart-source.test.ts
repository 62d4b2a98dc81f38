import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import {
  type ChartSourceOptions,
  createChartSource,
  parseChartDigests,
} from '../../src/addons/chart-source.ts'
import { bytesDigest } from '../../src/addons/file-digest.ts'
import { createClock } from '../../src/lib/clock.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { serveCharts } from '../../src/sandbox/charts/serve-charts.ts'
import { World } from '../../src/sandbox/world.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const id = {
  repository: 'https://127.0.0.1:1/never-asked',
  chart: 'hcloud-csi',
  version: '2.22.1',
  sha256: 'a'.repeat(64),
}

async function setUp(change: Partial<ChartSourceOptions> = {}) {
  const world = new World()
  const front = await serveCharts(world)
  onTestFinished(() => front.close())
  const source = createChartSource({
    cacheDirectory: await temporaryDirectory(),
    mirror: `${front.url}/`,
    digests: front.digests,
    clock: createClock(1000),
    random: seededRandom(1),
    ...change,
  })
  return { world, front, source }
}

test('a chart is downloaded once, verified, and found in the cache afterwards', async () => {
  const { world, front, source } = await setUp()
  const { path } = await source.fetchChart(id)
  expect(bytesDigest(await readFile(path))).toBe(front.digests['hcloud-csi-2.22.1'])
  expect((await source.fetchChart(id)).path).toBe(path)
  expect(world.requests.map((request) => request.path)).toEqual(['/hcloud-csi-2.22.1.tgz'])
})

test('a repository that serves without an end is given up at once, and not asked again', async () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked++
    const send = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1 << 20)));
    }
    response.on('drain', send)
    send()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const { source } = await setUp({ mirror: `http://127.0.0.1:${address.port}` })
  await expect(source.fetchChart(id)).rejects.toMatchObject({
    code: 'addon-failed',
    message: expect.stringContaining('larger than 134.2 MB'),
  })
  expect(asked).toBe(1)
})

test('what was changed in the cache is not believed', async () => {
  const { world, source } = await setUp()
  const { path } = await source.fetchChart(id)
  await writeFile(path, 'something else')
  await source.fetchChart(id)
  expect(world.requests).toHaveLength(2)
  expect((await readFile(path)).length).toBeGreaterThan(100)
})

test('a chart that is not the one of the catalogue is refused, both digests told', async () => {
  const { source } = await setUp({ digests: {} })
  await expect(source.fetchChart(id)).rejects.toMatchObject({
    code: 'addon-failed',
    message: expect.stringMatching(
      /hcloud-csi 2\.22\.1.*is not the one that was reviewed.*expected a{64}/,
    ),
  })
})

test('a chart that is nowhere is named', async () => {
  const { source, world } = await setUp()
  await expect(source.fetchChart({ ...id, version: '9.9.9' })).rejects.toMatchObject({
    code: 'addon-failed',
    message: expect.stringContaining('no chart hcloud-csi 9.9.9'),
  })
  expect(world.requests.map(({ path }) => path)).toContain('/index.yaml')
})

test.each(['unavailable', 'drop-before', 'truncate'] as const)(
  'a download that fails with %s is tried again',
  async (kind) => {
    const { source, world, front } = await setUp()
    world.faults.inject({ kind, front: 'charts' })
    const { path } = await source.fetchChart(id)
    expect(bytesDigest(await readFile(path))).toBe(front.digests['hcloud-csi-2.22.1'])
    expect(world.requests).toHaveLength(2)
  },
)

test('digests of a mirror are read, and nothing else is taken for them', () => {
  const digests = { 'cilium-1.19.6': 'b'.repeat(64), 'hcloud-csi-2.22.1': 'c'.repeat(64) }
  const text = `cilium-1.19.6=${'b'.repeat(64)},hcloud-csi-2.22.1=${'c'.repeat(64)}`
  expect(parseChartDigests(text)).toEqual(digests)
  expect(parseChartDigests('')).toEqual({})
  expect(() => parseChartDigests('cilium-1.19.6=off')).toThrow('not a chart digest')
})
