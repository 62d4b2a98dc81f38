import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createChartSource } from '../../src/addons/chart-source.ts'
import { bytesDigest } from '../../src/addons/file-digest.ts'
import { createClock } from '../../src/lib/clock.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { exampleChart } from '../../src/sandbox/charts/example-chart.ts'
import { packageChart } from '../../src/sandbox/charts/package-chart.ts'
import { type RegistryOptions, startRegistry } from './oci-registry.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const tgz = packageChart(exampleChart, '1.0.0')

async function setUp(options: Partial<RegistryOptions> = {}) {
  const registry = await startRegistry({
    charts: { 'team/charts/example-app:1.0.0': tgz, 'team/charts/example-app:1.0.0_build.5': tgz },
    ...options,
  })
  const source = createChartSource({
    cacheDirectory: await temporaryDirectory(),
    clock: createClock(1000),
    random: seededRandom(1),
  })
  const id = {
    repository: `oci://${registry.host}/team/charts`,
    chart: 'example-app',
    version: '1.0.0',
  }
  return { registry, source, id }
}

describe('A chart in an OCI registry', () => {
  test.each(['open', 'token'] as const)('is had where it is %s to everybody', async (access) => {
    const { source, id } = await setUp({ access })
    const { path, sha256 } = await source.fetchChart(id)
    expect((await readFile(path)).equals(tgz)).toBe(true)
    expect(sha256).toBe(bytesDigest(tgz))
  })

  test('is asked for with one token for all requests', async () => {
    const { registry, source, id } = await setUp({ access: 'token' })
    await source.fetchChart(id)
    const digest = bytesDigest(tgz)
    expect(registry.requests).toEqual([
      'GET /v2/team/charts/example-app/manifests/1.0.0 anonymous',
      'GET /token?service=registry&scope=repository%3Ateam%2Fcharts%2Fexample-app%3Apull anonymous',
      'GET /v2/team/charts/example-app/manifests/1.0.0 for-everybody',
      `GET /v2/team/charts/example-app/blobs/sha256:${digest} for-everybody`,
    ])
  })

  test('whose version has a build is found under the tag that helm gives it', async () => {
    const { source, id } = await setUp()
    await expect(source.fetchChart({ ...id, version: '1.0.0+build.5' })).resolves.toBeDefined()
  })

  test('is downloaded once, where its digest is known', async () => {
    const { registry, source, id } = await setUp()
    const known = { ...id, sha256: bytesDigest(tgz) }
    await source.fetchChart(known)
    const count = registry.requests.length
    await source.fetchChart(known)
    expect(registry.requests).toHaveLength(count)
  })

  test.each([
    ['a version that is not there', {}, { version: '2.0.0' }, 'has no chart example-app 2.0.0'],
    [
      'another content than the manifest says',
      { tampered: Buffer.from('evil') },
      {},
      'is not a chart',
    ],
    [
      'another digest than is known',
      {},
      { sha256: 'a'.repeat(64) },
      'not the one that was reviewed',
    ],
    ['a login that we do not have', { access: 'login' }, {}, 'to nobody without a login'],
  ] as const)('is refused for %s', async (_, options, change, message) => {
    const { source, id } = await setUp(options)
    await expect(source.fetchChart({ ...id, ...change })).rejects.toMatchObject({
      code: 'addon-failed',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })
  })
})
