import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/apply-cluster.ts'
import { byHand } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { expectTidy } from './world-facts.ts'

it('a load balancer that is deleted while an apply runs is no bug of ours: the next apply creates it', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: clusterFile({ workers: 0 }, bare) })
  const file = clusterFile({ workers: 1 }, bare)
  let isDeleted = false
  world.onRequest(async ({ front, method }) => {
    if (isDeleted || front !== 'talos' || method !== 'ApplyConfiguration') return
    isDeleted = true
    const [id] = world.hetzner.loadBalancers.keys()
    await byHand(bench, 'DELETE', `/load_balancers/${id}`)
  })
  await expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({
    code: 'plan-moved',
    message: 'somebody changed the cluster while this ran: create load-balancer/demo',
  })
  await applyCluster(bench.run(), { file })
  expect(world.hetzner.loadBalancers.size).toBe(1)
  await expectTidy(bench)
})
