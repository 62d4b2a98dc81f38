import { afterEach, beforeEach, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { seededRandom } from '../../src/lib/random.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { connectKubernetes } from '../kubernetes/connect-kubernetes.ts'
import { byHand, idOf } from './by-hand.ts'
import { clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { type Bench, startBench } from './harness.ts'
import { runShop } from './workloads.ts'
import { changesDuring, expectTidy, holdings, leftovers, stateFiles } from './world-facts.ts'

const file = clusterFile()
const wipe = clusterFile({}, { policy: { onDestroyVolumes: 'delete' } })
const yes = async () => true

// A cluster in use: a Service has a load balancer, a claim a volume, and somebody hung up a volume by hand.
let bench: Bench
let claimed: string

beforeEach(async () => {
  bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file, keepRule: true })
  const { kubeconfig } = await mintAccess(bench.run(), { file, hours: 1 })
  const { clock } = world
  const client = await connectKubernetes({ kubeconfig, clock, random: seededRandom(1) })
  await runShop(client, world)
  client.close()
  const [volume] = world.hetzner.volumes.values()
  claimed = volume?.name ?? ''
  const server = idOf(world.hetzner.servers, 'demo-workers-1')
  await byHand(bench, 'POST', '/volumes', { name: 'backup', size: 10, server })
  expect(leftovers(world)['loadBalancers']).toHaveLength(2)
  expect(leftovers(world)['volumes']).toEqual(['backup', claimed].sort())
})

afterEach(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

it('takes what the cluster made along, keeps its volumes, and only lets go of those of others', async () => {
  const { world } = bench.sandbox
  let shown: Plan | undefined
  const confirm = async (plan: Plan) => {
    shown = plan
    return false
  }
  const asking = () => destroyCluster(bench.run(), { file, confirm })
  const before = holdings(world)
  expect(await changesDuring(world, asking)).toEqual([])
  expect(holdings(world)).toEqual(before)

  const { plan, destroyed, kept } = await destroyCluster(bench.run(), { file, confirm: yes })
  expect(destroyed).toBe(true)
  expect(plan.digest).toBe(shown?.digest)
  expect(plan.findings.map(({ message }) => message)).toEqual([
    expect.stringContaining(`the volume ${claimed} (`),
    expect.stringContaining('the volume backup on demo-workers-1'),
    expect.stringContaining('the snapshot Talos'),
  ])
  expect(kept).toEqual([claimed])
  expect(leftovers(world)).toEqual({ volumes: ['backup', claimed].sort() })
  expect([...world.hetzner.volumes.values()].map(({ server }) => server)).toEqual([null, null])
  expect(await stateFiles(bench)).toEqual({})
  await expect(destroyCluster(bench.run(), { file, confirm: yes })).rejects.toMatchObject({
    code: 'cluster-unknown',
  })
})

it("leaves its job's temporary firewall rule to the step that cleans up", async () => {
  const { world } = bench.sandbox
  const context = bench.run()
  const opening = `demo-access-${context.run.id}`
  const seen: boolean[] = []
  world.onRequest(({ front, method, path }) => {
    if (front !== 'hetzner' || method !== 'DELETE' || !path.startsWith('/servers/')) return
    seen.push([...world.hetzner.firewalls.values()].some(({ name }) => name === opening))
  })
  await destroyCluster(context, { file: wipe, confirm: yes, keepRule: true })
  expect(seen).not.toEqual([])
  expect(seen[0]).toBe(true)
  expect(leftovers(world)).toEqual({ volumes: ['backup'] })
})

it('deletes its volumes where the file says so, though Hetzner lets go of things late', async () => {
  const { world } = bench.sandbox
  world.faults.releaseLagMs = 20_000
  await cutOff(bench, { after: 40 }, (run) => destroyCluster(run, { file: wipe, confirm: yes }))
  const { destroyed, kept } = await destroyCluster(bench.run(), { file: wipe, confirm: yes })
  expect({ destroyed, kept }).toEqual({ destroyed: true, kept: [] })
  expect(leftovers(world)).toEqual({ volumes: ['backup'] })
  expect(await stateFiles(bench)).toEqual({})
})
