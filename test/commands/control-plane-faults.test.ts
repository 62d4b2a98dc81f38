import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import type { Hardware } from '../../src/sandbox/hardware.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { byHand, deleteServerByHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { healthyEtcd, onlyEtcd, voters, watchEtcd } from './etcd-watch.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, inventoryOf, newestCluster } from './world-facts.ts'

// One cluster of three control planes, in which one thing after the other goes wrong.
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: controlPlanes(3) })
})

beforeEach(() => {
  expect(voters(bench.sandbox.world)).toEqual(healthyEtcd(3))
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function controlPlanes(count: number, type = 'cx23'): ClusterFile {
  const nodes = { controlPlane: { count, type }, workers: { count: 0, type: 'cx33' } }
  return clusterFile({}, { ...bare, nodes })
}

function apply(count: number, replace: readonly string[] = []) {
  return applyCluster(bench.run(), { file: controlPlanes(count), replace })
}

async function plan(file: ClusterFile, replace: readonly string[] = []): Promise<Plan> {
  return (await planCluster(bench.run(), { file, verb: 'apply', replace })).plan
}

function brief({ changes }: Plan): string[] {
  return changes.map(({ action, key, risk }) => `${action} ${key} ${risk}`)
}

function machine(slot: number): Hardware {
  const name = `demo-control-plane-${slot}`
  const found = [...bench.sandbox.world.machines.values()].find((one) => one.name === name)
  if (!found) throw new Error(`there is no machine ${name}`)
  return found
}

function serverNames(): string[] {
  return [...bench.sandbox.world.hetzner.servers.values()].map(({ name }) => name).sort()
}

it('a member that cannot leave keeps its server; the next run goes on', async () => {
  const { world } = bench.sandbox
  const { faults } = talosState(world)
  const refusal = 'failed to leave cluster: etcdserver: unhealthy cluster'
  const fault = { node: 'demo-control-plane-3', method: 'EtcdLeaveCluster', times: 10_000 }
  faults.failCall(fault, refusal)
  await expect(apply(1)).rejects.toMatchObject({
    code: 'etcd-leave-failed',
    message: expect.stringContaining('unhealthy cluster'),
    hint: expect.stringContaining('Its server was not deleted'),
  })
  expect(serverNames()).toHaveLength(3)
  expect(voters(world)).toEqual(healthyEtcd(3))
  expect((await inventoryOf(bench)).nodes).toHaveLength(3)
  faults.release(fault.node)
  const watch = watchEtcd(bench)
  await apply(1)
  await apply(3)
  expect(watch.end()).toMatchObject({ sizes: [3, 2, 1, 2, 3], broken: [] })
})

it('nobody leaves while another member is down', async () => {
  const { world } = bench.sandbox
  const node = [...talosState(world).nodes].find(({ name }) => name === 'demo-control-plane-1')
  node?.etcd.stop()
  const changes = await changesDuring(world, () =>
    expect(apply(1)).rejects.toMatchObject({
      code: 'wait-timeout',
      message: expect.stringContaining('the etcd of demo-control-plane-1 does not answer'),
    }),
  )
  expect(changes.filter((change) => change.includes('/servers'))).toEqual([])
  expect(onlyEtcd(world).members.size).toBe(3)
  await machine(1).powerCycle()
  while (!Object.values(voters(world)).every(Boolean)) await world.clock.sleep(1_000)
})

it('a node that dies while it leaves is removed by its id', async () => {
  const { world } = bench.sandbox
  let died = false
  world.onRequest(async ({ method, path }) => {
    if (died || (method !== 'EtcdForfeitLeadership' && method !== 'EtcdLeaveCluster')) return
    died = true
    const name = path.slice(1)
    await [...world.machines.values()].find((one) => one.name === name)?.powerOff()
  })
  const watch = watchEtcd(bench)
  await apply(1)
  expect(died).toBe(true)
  expect(serverNames()).toEqual(['demo-control-plane-1'])
  await apply(3)
  expect(watch.end()).toMatchObject({ sizes: [3, 2, 1, 2, 3], broken: [] })
})

it('one that never answers again is replaced when it is asked for, and only then', async () => {
  const { world } = bench.sandbox
  const name = 'demo-control-plane-2'
  const { nodes } = await inventoryOf(bench)
  await machine(2).powerOff()
  talosState(world).faults.stuckBooting(name)
  expect(brief(await plan(controlPlanes(3)))).toEqual([`update server/${name} live`])

  const asked = await plan(controlPlanes(3), [name])
  expect(brief(asked)).toEqual([`replace server/${name} quorum`, `replace node/${name} quorum`])
  expect(asked.changes.map(({ reason }) => reason)).toEqual([
    'its replacement was asked for',
    'its former member leaves etcd, and a new one joins',
  ])
  const id = idOf(world.hetzner.servers, name)
  expect(asked.changes[0]?.fields).toEqual([{ path: 'id', before: id, after: 'new' }])
  talosState(world).faults.release(name)
  const watch = watchEtcd(bench)
  await apply(3, [name])
  expect(watch.end()).toMatchObject({ sizes: [3, 2, 3], broken: [] })
  expect(idOf(world.hetzner.servers, name)).not.toBe(id)
  expect((await inventoryOf(bench)).nodes.map(({ privateIp }) => privateIp)).toEqual(
    nodes.map(({ privateIp }) => privateIp),
  )
})

it('one whose server is gone is shown as what it is, and comes back in its place', async () => {
  const name = 'demo-control-plane-3'
  await deleteServerByHand(bench, name)
  const shown = await plan(controlPlanes(3))
  expect(brief(shown)).toEqual([`create server/${name} quorum`, `replace node/${name} quorum`])
  expect(shown.changes[0]?.reason).toBe('the server that was there is gone')
  await apply(3)
})

it('one whose server is gone and that nobody wants any more leaves etcd too', async () => {
  const { world } = bench.sandbox
  const name = 'demo-control-plane-3'
  await apply(5)
  await deleteServerByHand(bench, name)
  await deleteServerByHand(bench, 'demo-control-plane-5')
  const shown = await plan(controlPlanes(3))
  // The dead go first, the lost comes back, and then the one that is too many leaves.
  expect(brief(shown)).toEqual([
    `create server/${name} quorum`,
    'delete node/demo-control-plane-5 quorum',
    `replace node/${name} quorum`,
    'delete node/demo-control-plane-4 quorum',
    'delete server/demo-control-plane-4 quorum',
  ])
  const watch = watchEtcd(bench)
  await apply(3)
  expect(watch.end()).toMatchObject({ sizes: [5, 4, 3, 4, 3], broken: [] })
  expect(onlyEtcd(world).members.size).toBe(3)
  expect((await inventoryOf(bench)).nodes).toHaveLength(3)
})

it('what nobody asked for in the file is not replaced', async () => {
  const { world } = bench.sandbox
  const name = 'demo-control-plane-1'
  const server = world.hetzner.servers.get(idOf(world.hetzner.servers, name))
  // As when Hetzner gives a type another name, or somebody rescales a server.
  await machine(1).powerOff()
  await byHand(bench, 'POST', `/servers/${server?.id}/actions/change_type`, {
    server_type: 'cx33',
    upgrade_disk: false,
  })
  while (server?.type !== 'cx33') await world.clock.sleep(1_000)
  await machine(1).powerOn()
  while (!Object.values(voters(world)).every(Boolean)) await world.clock.sleep(1_000)
  const changes = await changesDuring(world, () => apply(3))
  expect(changes).toEqual([])
  const shown = await plan(controlPlanes(3))
  expect(shown.changes).toEqual([])
  expect(shown.findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    `warning: the server ${name} was changed by hand, and is kept so: serverType is cx33, the file asks for cx23`,
  ])
  await apply(3, [name])
  expect(world.hetzner.servers.get(idOf(world.hetzner.servers, name))?.type).toBe('cx23')
})

it('refuses what would cost the quorum, and says the way out', async () => {
  const { world } = bench.sandbox
  await apply(5)
  expect((await plan(controlPlanes(1))).findings).toMatchObject([
    { severity: 'error', path: ['nodes', 'controlPlane', 'count'] },
  ])
  expect((await plan(controlPlanes(3), ['demo-control-plane-22'])).findings).toMatchObject([
    { message: expect.stringContaining('is not a node'), hint: expect.stringMatching(/-2\b/) },
  ])
  await apply(3)
  await deleteServerByHand(bench, 'demo-control-plane-1')
  await deleteServerByHand(bench, 'demo-control-plane-2')
  const changes = await changesDuring(world, () =>
    expect(apply(3)).rejects.toMatchObject({ code: 'plan-refused' }),
  )
  expect(changes).toEqual([])
  const [finding] = (await plan(controlPlanes(3))).findings
  expect(finding?.message).toContain('2 of 3 control planes are gone')
  expect(finding?.hint).toContain('Take a snapshot of what survived')
  expect(newestCluster(world).bootstraps).toHaveLength(1)
})
