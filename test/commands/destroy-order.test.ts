import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { byHand } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, inventoryOf, leftovers, stateFiles } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, bare)

let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
})

afterAll(() => bench[Symbol.asyncDispose]())

/** The temporary firewall rule of a plan that runs meanwhile: of the cluster, and made after we looked. */
async function openForAnotherRun(bench: Bench, uid: string): Promise<void> {
  const { hetzner, judge } = bench.sandbox.world
  const labels = { cluster: 'demo', uid, component: 'access', run: 'a-plan', expires: '4102444800' }
  await byHand(bench, 'POST', '/firewalls', { name: 'demo-access-a-plan', labels })
  for (const { id } of hetzner.firewalls.values()) judge.ownership.add(id)
}

it('the temporary firewall rule of a run that is interrupted while it opens it is closed again', async () => {
  const { world } = bench.sandbox
  const stopped = new AbortController()
  world.onRequest(({ front, method, path }) => {
    if (front === 'hetzner' && method === 'POST' && path === '/firewalls') stopped.abort()
  })
  const { signal } = stopped
  const larger = clusterFile({ workers: 1 }, bare)
  await expect(applyCluster(bench.run({ signal }), { file: larger })).rejects.toThrow()
  expect(signal.aborted).toBe(true)
  await expectTidy(bench)
})

it('what is made while a cluster is destroyed goes too, and its state stays until nothing is left', async () => {
  const { world } = bench.sandbox
  const { uid } = await inventoryOf(bench)
  const confirmed = (answer: boolean) => ({ file, confirm: async () => answer })
  expect(await changesDuring(world, () => destroyCluster(bench.run(), confirmed(false)))).toEqual(
    [],
  )

  let seen = 0
  world.onRequest(async ({ front, method, path }) => {
    if (front !== 'hetzner' || method !== 'DELETE' || !path.startsWith('/servers/')) return
    if (seen++ === 0) await openForAnotherRun(bench, uid)
  })
  const { destroyed } = await destroyCluster(bench.run(), confirmed(true))
  expect(destroyed).toBe(true)
  expect(leftovers(world)).toEqual({})
  expect(await stateFiles(bench)).toEqual({})
  await expectTidy(bench)
})
