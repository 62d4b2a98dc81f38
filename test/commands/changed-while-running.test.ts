import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { byHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { expectTidy } from './world-facts.ts'

it('a server that is switched off while an apply runs is named, with how it is started', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: clusterFile({ workers: 1 }, bare) })
  const file = clusterFile({ workers: 2 }, bare)
  const id = idOf(world.hetzner.servers, 'demo-workers-1')
  let isOff = false
  world.onRequest(async ({ front, method }) => {
    if (isOff || front !== 'talos' || method !== 'ApplyConfiguration') return
    isOff = true
    await byHand(bench, 'POST', `/servers/${id}/actions/poweroff`)
  })
  await expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({
    code: 'plan-moved',
    message: 'switched off while this ran: the server of demo-workers-1',
    hint: expect.stringMatching(/^Apply again \(`hcloud-talos apply`\): it starts what is off\. /),
  })
  await applyCluster(bench.run(), { file })
  await expectTidy(bench)
})

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
