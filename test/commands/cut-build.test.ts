import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { buildImages } from '../../src/commands/modes/hetzner-talos/build-images.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { startBench } from './harness.ts'
import { expectTidy, holdings, leftovers } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, bare)

it('a build of images that is killed stands in nobody’s way, and the next one cleans up', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  for (const after of [18, 26]) {
    await cutOff(bench, { after }, (run) => buildImages(run, { file }))
    const ids = await buildImages(bench.run(), { file })
    expect(ids.get('amd64'), `cut after ${after}`).toBeGreaterThan(0)
    expect(leftovers(world), `cut after ${after}`).toEqual({})
    expect(holdings(world)['snapshots']).toHaveLength(1)
    await expectTidy(bench)
    world.hetzner.images.delete(ids.get('amd64') ?? 0)
  }
  // What a killed build leaves must not look like a cluster whose state is missing.
  await cutOff(bench, { after: 14 }, (run) => buildImages(run, { file }))
  expect(leftovers(world)).not.toEqual({})
  const { applied } = await applyCluster(bench.run(), { file })
  expect(applied).toBe(true)
  await buildImages(bench.run(), { file })
  await expectTidy(bench)
})
