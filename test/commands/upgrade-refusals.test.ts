import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { byHand, idOf } from './by-hand.ts'
import { clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { type Bench, startBench } from './harness.ts'
import { usableNodes } from './simulated-kubernetes.ts'
import { changesDuring, expectTidy, inventoryOf, newestCluster } from './world-facts.ts'

const sizes = { controlPlanes: 3, workers: 1 }
const at = (talos: string) =>
  clusterFile(sizes, { talos: { version: talos }, kubernetes: { version: '1.32.4' } })
const file = at('v1.10.9')

// One cluster, three times on its way to another version.
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
})

afterAll(() => bench[Symbol.asyncDispose]())

async function versions(): Promise<(string | undefined)[]> {
  return (await inventoryOf(bench)).nodes.map(({ talosVersion }) => talosVersion)
}

function bootIds(): string[] {
  return [...bench.sandbox.world.machines.values()].map(({ bootId }) => bootId)
}

async function etcdIsBack(): Promise<void> {
  const [etcd] = newestCluster(bench.sandbox.world).etcds.values()
  while (etcd?.voters.some((voter) => !etcd.isStarted(voter.id))) {
    await bench.sandbox.world.clock.sleep(1_000)
  }
}

it('an apply leaves the version alone and says that it waits; a jump too far is refused', async () => {
  const { plan } = await planCluster(bench.run(), { file: at('v1.11.6'), verb: 'apply' })
  expect(plan.changes).toEqual([])
  expect(plan.waiting).toHaveLength(4)
  const boots = bootIds()
  await expect(upgradeCluster(bench.run(), { file: at('v1.13.9') })).rejects.toMatchObject({
    code: 'plan-refused',
    findings: [{ hint: expect.stringMatching(/^Upgrade to v1\.1[12]\.\d+ first\.$/) }],
  })
  expect(bootIds()).toEqual(boots)
})

it('nothing is upgraded while a server is off', async () => {
  const { servers } = bench.sandbox.world.hetzner
  const id = idOf(servers, 'demo-control-plane-3')
  await byHand(bench, 'POST', `/servers/${id}/actions/poweroff`)
  const upgrading = () =>
    expect(upgradeCluster(bench.run(), { file: at('v1.11.6') })).rejects.toMatchObject({
      code: 'plan-refused',
      findings: [{ message: expect.stringMatching(/^the server of demo-control-plane-3 is off/) }],
    })
  const changes = await changesDuring(bench.sandbox.world, upgrading)
  expect(changes).toEqual([])
  expect(await versions()).toEqual(['v1.10.9', 'v1.10.9', 'v1.10.9', 'v1.10.9'])
  await byHand(bench, 'POST', `/servers/${id}/actions/poweron`)
  await etcdIsBack()
})

it('nothing is upgraded when a member of etcd goes away between the checks and its turn', async () => {
  const { world } = bench.sandbox
  const away = [...world.machines.values()].find(({ name }) => name === 'demo-control-plane-3')
  const boots = bootIds()
  let [pulled, gone] = [false, false]
  world.onRequest(async ({ front, method, path }) => {
    if (front !== 'talos') return
    pulled ||= /pull/i.test(method)
    // Its turn begins with the question which version it runs.
    if (gone || !pulled || method !== 'Version' || path !== '/demo-control-plane-1') return
    gone = true
    await away?.powerOff()
  })
  await expect(upgradeCluster(bench.run(), { file: at('v1.11.6') })).rejects.toMatchObject({
    code: 'etcd-unhealthy',
  })
  expect(gone).toBe(true)
  expect(bootIds()).toEqual(boots)
  await away?.powerOn()
  await etcdIsBack()
})

it('an upgrade that was cut off continues with the nodes that are left', async () => {
  const { world } = bench.sandbox
  const target = at('v1.11.6')
  const first = [...world.machines.values()].find(({ name }) => name === 'demo-control-plane-1')
  let cut = false
  world.onRequest(({ front, path }) => {
    // The second node is being drained: the first is done.
    if (cut || front !== 'kubernetes' || !path.endsWith('/nodes/demo-control-plane-2')) return
    const { image } = first?.disk ?? {}
    if (image?.kind !== 'talos' || image.version !== 'v1.11.6') return
    cut = true
    world.cutAfter(1)
  })
  const after = Number.POSITIVE_INFINITY
  expect(await cutOff(bench, { after }, (run) => upgradeCluster(run, { file: target }))).toBe(false)
  const bootId = first?.bootId

  const { plan } = await upgradeCluster(bench.run(), { file: target })
  expect(plan.changes).toHaveLength(3)
  expect(first?.bootId).toBe(bootId)
  expect(await versions()).toEqual(['v1.11.6', 'v1.11.6', 'v1.11.6', 'v1.11.6'])
  expect(usableNodes(world)).toHaveLength(4)
  await expectTidy(bench)
})

it('an upgrade of a control plane is done when etcd is healthy again, and says where it is not', async () => {
  const { world } = bench.sandbox
  const last = [...world.machines.values()].find(({ name }) => name === 'demo-control-plane-3')
  const [etcd] = newestCluster(world).etcds.values()
  if (!etcd) throw new Error('the cluster has an etcd')
  world.onRequest(({ front, method, path }) => {
    const uncordons = front === 'kubernetes' && method === 'PATCH'
    if (!uncordons || !path.endsWith('/nodes/demo-control-plane-3')) return
    const { image } = last?.disk ?? {}
    // Everything else about the node is well by now.
    if (image?.kind === 'talos' && image.version === 'v1.12.1') etcd.outOfSpace = etcd.leader
  })
  await expect(upgradeCluster(bench.run(), { file: at('v1.12.1') })).rejects.toMatchObject({
    code: 'etcd-unhealthy',
    message: expect.stringMatching(
      /^the upgrade stopped at demo-control-plane-3: wait until etcd is healthy again: /,
    ),
  })
  etcd.outOfSpace = undefined
})
