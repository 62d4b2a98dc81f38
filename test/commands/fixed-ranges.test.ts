import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { byHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { changesDuring, expectTidy, inventoryOf } from './world-facts.ts'

it('another range for nodes that have their addresses is refused in the plan', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: clusterFile({ workers: 0 }, bare) })
  const file = clusterFile({ workers: 0 }, { ...bare, network: { nodeRange: '10.0.16.0/24' } })
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.findings).toMatchObject([
    {
      severity: 'error',
      path: ['network', 'nodeRange'],
      message: expect.stringMatching(
        /^demo-control-plane-1 has the address [\d.]+, which is not in 10\.0\.16\.0\/24/,
      ),
      hint: expect.stringMatching(/^Keep network\.nodeRange as it was: [\d.]+\/\d+\.$/),
    },
  ])
  const changes = await changesDuring(world, () =>
    expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({ code: 'plan-refused' }),
  )
  expect(changes).toEqual([])
  await expectTidy(bench)
})

it('a new node gets no address that somebody else has in the network', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: clusterFile({ workers: 0 }, bare) })
  const [first] = (await inventoryOf(bench)).nodes
  const next = (first?.privateIp ?? '').replace(/\d+$/, (host) => String(Number(host) + 1))
  const order = { server_type: 'cx23', image: 'debian-13', location: 'hel1' }
  await byHand(bench, 'POST', '/servers', { name: 'other', ...order })
  const server = idOf(world.hetzner.servers, 'other')
  const network = idOf(world.hetzner.networks, 'demo')
  const isBusy = () =>
    [...world.hetzner.actions.values()].some(
      ({ status, resources }) => status === 'running' && resources.some(({ id }) => id === server),
    )
  while (isBusy()) await world.clock.sleep(1_000)
  await byHand(bench, 'POST', `/servers/${server}/actions/attach_to_network`, { network, ip: next })
  await applyCluster(bench.run(), { file: clusterFile({ workers: 1 }, bare) })
  const worker = (await inventoryOf(bench)).nodes.find(({ role }) => role === 'worker')
  expect(worker?.privateIp).not.toBe(next)
  await expectTidy(bench)
})
