import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Hardware } from '../../src/sandbox/hardware.ts'
import { byHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { watchEtcd } from './etcd-watch.ts'
import { type Bench, startBench } from './harness.ts'
import { bootIds } from './node-hands.ts'
import { nodeNames } from './simulated-kubernetes.ts'
import { changesDuring, expectTidy } from './world-facts.ts'

// Three control planes, of which one is switched off.
let bench: Bench

const file = (workers: number, version = 'v1.13.0', talos: JsonObject = {}) =>
  clusterFile({ controlPlanes: 3, workers }, { ...bare, talos: { version, ...talos } })

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: file(2) })
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function machine(name: string): Hardware {
  const found = [...bench.sandbox.world.machines.values()].find((one) => one.name === name)
  if (!found) throw new Error(`there is no machine ${name}`)
  return found
}

/** As soon as nothing else is done to its server. */
async function switchOff(name: string): Promise<number> {
  const { servers } = bench.sandbox.world.hetzner
  const id = idOf(servers, name)
  await expect.poll(() => servers.get(id)?.lockedBy).toBeUndefined()
  await byHand(bench, 'POST', `/servers/${id}/actions/poweroff`)
  await expect.poll(() => machine(name).power).toBe('off')
  return id
}

it('the control plane that a run talks to is switched off: the run continues with another one', async () => {
  const { world } = bench.sandbox
  let off: Promise<void> | undefined
  world.onRequest(({ front, method, path }) => {
    // The worker was cordoned: what is left is asked of another API server.
    const isCordon =
      front === 'kubernetes' && method === 'PATCH' && path.endsWith('/demo-workers-2')
    if (isCordon) off ??= machine('demo-control-plane-1').powerOff()
    // It is back for the last look: an apply ends with a healthy etcd.
    if (front === 'hetzner' && method === 'DELETE' && /^\/servers\//.test(path)) {
      void machine('demo-control-plane-1').powerOn()
    }
  })
  await applyCluster(bench.run(), { file: file(1) })
  expect(off).toBeDefined()
  expect([...world.hetzner.servers.values()].map(({ name }) => name)).not.toContain(
    'demo-workers-2',
  )
  expect(nodeNames(world)).not.toContain('demo-workers-2')
})

it('an upgrade says at once which server is off, and waits for nothing', async () => {
  const { world } = bench.sandbox
  const name = 'demo-control-plane-3'
  const id = await switchOff(name)
  const newer = file(1, 'v1.13.9')
  const { plan } = await planCluster(bench.run(), { file: newer, verb: 'upgrade' })
  expect(plan.findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      message: expect.stringContaining(`the server of ${name} is off`),
      hint: expect.stringContaining('hcloud-talos apply'),
    }),
  )
  const upgrade = () =>
    expect(upgradeCluster(bench.run(), { file: newer })).rejects.toMatchObject({
      code: 'plan-refused',
    })
  expect(await changesDuring(world, upgrade)).toEqual([])
  await byHand(bench, 'POST', `/servers/${id}/actions/poweron`)
  await machine(name).settled()
})

it('one is off while all of them get a config that takes a reboot: it is started, and never two are away', async () => {
  await switchOff('demo-control-plane-3')
  const boots = bootIds(bench)
  const watch = watchEtcd(bench)
  const controlPlanePatches = [{ machine: { udev: { rules: ['rule'] } } }]
  await applyCluster(bench.run(), { file: file(1, 'v1.13.0', { controlPlanePatches }) })
  expect(watch.end()).toMatchObject({ fewest: 2, broken: [] })
  const after = bootIds(bench)
  expect(Object.keys(boots).filter((one) => boots[one] !== after[one])).toEqual(
    [1, 2, 3].map((slot) => `demo-control-plane-${slot}`),
  )
})

it('one is off while its placement group and that of another one are put back: it is started first', async () => {
  const { world } = bench.sandbox
  const [first, third] = ['demo-control-plane-1', 'demo-control-plane-3']
  await switchOff(third)
  const servers = [...world.hetzner.servers.values()].filter(({ name }) =>
    [first, third].includes(name),
  )
  const groups = servers.map(({ placementGroup }) => placementGroup)
  for (const server of servers) server.placementGroup = null
  const watch = watchEtcd(bench)
  const controlPlanePatches = [{ machine: { udev: { rules: ['rule'] } } }]
  await applyCluster(bench.run(), { file: file(1, 'v1.13.0', { controlPlanePatches }) })
  expect(watch.end()).toMatchObject({ fewest: 2, broken: [] })
  expect(servers.map(({ placementGroup }) => placementGroup)).toEqual(groups)
  expect(groups).not.toContain(null)
})
