import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { byHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { expectTidy, inventoryOf } from './world-facts.ts'

// A cluster that has built its image, and a newer snapshot of something else under the same labels.
let bench: Bench
let built: number
let lookalike: number

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: clusterFile({ workers: 0 }, bare) })
  built = snapshots()[0] ?? 0
  lookalike = await copyControlPlane()
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function snapshots(): number[] {
  const { images } = bench.sandbox.world.hetzner
  return [...images.values()].flatMap(({ id, type }) => (type === 'snapshot' ? [id] : []))
}

async function copyControlPlane(): Promise<number> {
  const { world } = bench.sandbox
  const { servers, images } = world.hetzner
  const labels = { ...images.get(built)?.labels }
  const server = idOf(servers, 'demo-control-plane-1')
  const body = { type: 'snapshot', description: 'a copy', labels }
  await byHand(bench, 'POST', `/servers/${server}/actions/create_image`, body)
  const id = snapshots().find((one) => one !== built) ?? 0
  while (images.get(id)?.status !== 'available') await world.clock.sleep(10_000)
  return id
}

function imageOf(name: string): number | null | undefined {
  const { servers } = bench.sandbox.world.hetzner
  return servers.get(idOf(servers, name))?.image
}

it('the snapshot that was built is recorded with the digest of what was written', async () => {
  const { images = {} } = await inventoryOf(bench)
  const [[key, image] = ['', undefined], ...others] = Object.entries(images)
  expect(others).toEqual([])
  expect(key).toMatch(/^image\/talos-v1\.13\.9-amd64-/)
  expect(image).toEqual({ id: built, digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

it('a newer snapshot with the same labels is named, and not used', async () => {
  const file = clusterFile({ workers: 1 }, bare)
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.notes).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        `is the snapshot ${built} \\(built on the server demo-image-amd64, .* old, sha256 [0-9a-f]{12}\\)`,
      ),
      expect.stringMatching(
        `the snapshot ${lookalike} \\(made from demo-control-plane-1, .* old\\) .* is not used`,
      ),
    ]),
  )
  await applyCluster(bench.run(), { file })
  expect(imageOf('demo-workers-1')).toBe(built)
})

it('labels that were taken off the recorded snapshot do not matter', async () => {
  await byHand(bench, 'PUT', `/images/${built}`, { labels: {} })
  await applyCluster(bench.run(), { file: clusterFile({ workers: 2 }, bare) })
  expect(imageOf('demo-workers-2')).toBe(built)
})

it('where the recorded snapshot is gone another is built, and nothing else takes its place', async () => {
  await byHand(bench, 'DELETE', `/images/${built}`)
  const file = clusterFile({ workers: 3 }, bare)
  const { plan } = await applyCluster(bench.run(), { file })
  expect(plan.changes.map(({ action, key }) => `${action} ${key}`)[0]).toMatch(/^create image\//)
  const used = imageOf('demo-workers-3')
  expect(used).not.toBe(lookalike)
  expect(snapshots().sort()).toEqual([lookalike, used].sort())
  const { images = {} } = await inventoryOf(bench)
  expect(Object.values(images).map(({ id }) => id)).toEqual([used])
})
