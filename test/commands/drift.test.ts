import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { byHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, holdings, stateFiles } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, bare)
const otherFile = clusterFile(
  { workers: 0 },
  { ...bare, clusterName: 'other', state: { alongside: ['demo'] } },
)

// Two clusters in one project, and a server of nobody's that looks a little like theirs.
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await byHand(bench, 'POST', '/servers', {
    name: 'demo-workers-7',
    server_type: 'cx23',
    location: 'hel1',
    image: 'debian-13',
    labels: { cluster: 'demonstration', role: 'worker' },
  })
  await applyCluster(bench.run(), { file })
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

async function plannedKeys(): Promise<string[]> {
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  return plan.changes.map(({ action, key }) => `${action} ${key}`)
}

it('a firewall rule that was changed by hand is found and healed', async () => {
  const { firewalls } = bench.sandbox.world.hetzner
  const id = idOf(firewalls, 'demo')
  const { rules } = firewalls.get(id) ?? {}
  await byHand(bench, 'POST', `/firewalls/${id}/actions/set_rules`, {
    rules: [{ direction: 'in', protocol: 'tcp', port: '50000', source_ips: ['0.0.0.0/0'] }],
  })
  expect(await plannedKeys()).toEqual(['update firewall/demo'])
  await applyCluster(bench.run(), { file })
  expect(firewalls.get(id)?.rules).toEqual(rules)
  expect(await plannedKeys()).toEqual([])
})

it('labels that others put on our servers stay, and ours are put back', async () => {
  const { servers } = bench.sandbox.world.hetzner
  const id = idOf(servers, 'demo-control-plane-1')
  const { labels = {} } = servers.get(id) ?? {}
  const { pool: _, ...rest } = labels
  await byHand(bench, 'PUT', `/servers/${id}`, { labels: { ...rest, owner: 'anna' } })
  expect(await plannedKeys()).toEqual(['update server/demo-control-plane-1'])
  await applyCluster(bench.run(), { file })
  expect(servers.get(id)?.labels).toEqual({ ...labels, owner: 'anna' })
})

it('another cluster comes and goes in the same project, and nothing of this one is touched', async () => {
  const { world } = bench.sandbox
  const before = holdings(world)
  const files = await stateFiles(bench)
  const ids = [...world.hetzner.servers.keys()]
  await applyCluster(bench.run(), { file: otherFile })
  expect(holdings(world)['servers']).toContain('other-control-plane-1')
  await destroyCluster(bench.run(), { file: otherFile, confirm: async () => true })
  expect(holdings(world)).toEqual(before)
  expect([...world.hetzner.servers.keys()]).toEqual(ids)
  expect(await stateFiles(bench)).toEqual(files)
  expect(await plannedKeys()).toEqual([])
})

it('something of nobody’s that has our name stops the apply before anything is made', async () => {
  const { world } = bench.sandbox
  await byHand(bench, 'POST', '/placement_groups', { name: 'demo-pool-1', type: 'spread' })
  const workers = [{ name: 'pool', count: 1, type: 'cx33' }]
  const refused = () =>
    expect(
      applyCluster(bench.run(), { file: clusterFile({ workers }, bare) }),
    ).rejects.toMatchObject({
      code: 'plan-refused',
      findings: [{ message: expect.stringContaining('placement-group demo-pool-1') }],
    })
  expect(await changesDuring(world, refused)).toEqual([])
})
