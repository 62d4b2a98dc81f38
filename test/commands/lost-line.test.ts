import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { describeError } from '../../src/lib/describe-error.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { expectTidy, newestCluster } from './world-facts.ts'

const file = clusterFile({}, bare)

it('an apply that loses the line says so, and not that it could not clean up', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  world.cutAfter(60)
  const error = await applyCluster(bench.run(), { file }).catch((thrown: unknown) => thrown)
  expect(describeError(error).headline).toMatch(/^(hetzner-unreachable|ssh-failed|wait-timeout): /)
  world.restore()
  await applyCluster(bench.run(), { file })
  await expectTidy(bench)
  expect(newestCluster(world).bootstraps).toHaveLength(1)
})
