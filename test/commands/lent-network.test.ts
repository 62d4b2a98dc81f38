import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { byHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, holdings, inventoryOf } from './world-facts.ts'

const inNetwork = (network: string, workers = 1) =>
  clusterFile({ workers }, { ...bare, hetzner: { region: 'hel1', network } })

let bench: Bench
let id = 0

const makeNetwork = async (name: string) => {
  const subnet = { type: 'cloud', network_zone: 'eu-central', ip_range: '10.0.0.0/16' }
  await byHand(bench, 'POST', '/networks', { name, ip_range: '10.0.0.0/8', subnets: [subnet] })
  return idOf(bench.sandbox.world.hetzner.networks, name)
}
const rename = (name: string) => byHand(bench, 'PUT', `/networks/${id}`, { name })
const findings = async (network: string) => {
  const { plan } = await planCluster(bench.run(), { file: inNetwork(network), verb: 'apply' })
  expect(plan.changes).toEqual([])
  return plan.findings.map(({ message }) => message)
}

beforeAll(async () => {
  bench = await startBench()
  id = await makeNetwork('office')
  await applyCluster(bench.run(), { file: inNetwork('office') })
})
afterAll(() => bench[Symbol.asyncDispose]())

it('a network that is lent to the cluster is known by its id, whatever its owner calls it', async () => {
  expect((await inventoryOf(bench)).lentNetwork).toEqual({ id, name: 'office' })
  await rename('campus')
  expect(await findings('office')).toEqual([
    `the network office (id ${id}) is called campus now: it is known by its id`,
  ])
})

it('another one that has its name by now is a stranger: nothing is put into it', async () => {
  const other = await makeNetwork('office')
  await applyCluster(bench.run(), { file: inNetwork('office', 2) })
  const { servers } = bench.sandbox.world.hetzner
  const networks = [...servers.values()].flatMap(({ privateNets }) => privateNets)
  expect(networks.map(({ network }) => network)).toEqual([id, id, id])
  await byHand(bench, 'DELETE', `/networks/${other}`)
  await applyCluster(bench.run(), { file: inNetwork('office') })
})

it('the file may follow its new name', async () => {
  expect(await findings('campus')).toEqual([])
  await applyCluster(bench.run(), { file: inNetwork('campus') })
  expect((await inventoryOf(bench)).lentNetwork).toEqual({ id, name: 'campus' })
})

it('one that is gone is not replaced by a namesake, but by one that the file names otherwise', async () => {
  const { networks, loadBalancers } = bench.sandbox.world.hetzner
  const [balancer] = loadBalancers.keys()
  await byHand(bench, 'DELETE', `/networks/${id}`)
  const other = await makeNetwork('campus')
  const changes = await changesDuring(bench.sandbox.world, () =>
    expect(applyCluster(bench.run(), { file: inNetwork('campus') })).rejects.toMatchObject({
      code: 'plan-refused',
      findings: expect.arrayContaining([
        expect.objectContaining({
          message: expect.stringContaining(`the network campus (id ${id}) `),
          hint: expect.stringContaining('another name'),
        }),
      ]),
    }),
  )
  expect(changes).toEqual([])
  id = other
  await rename('annex')
  await applyCluster(bench.run(), { file: inNetwork('annex') })
  expect([...loadBalancers.keys()]).toEqual([balancer])
  expect(await findings('annex')).toEqual([])
  expect([...networks.keys()]).toEqual([id])
})

it('a destroy leaves it, and takes what is in it by its id', async () => {
  await rename('hall')
  await destroyCluster(bench.run(), { file: inNetwork('annex'), confirm: async () => true })
  const { snapshots: _, ...left } = holdings(bench.sandbox.world)
  expect(left).toEqual({ networks: ['hall'] })
  await expectTidy(bench)
})
