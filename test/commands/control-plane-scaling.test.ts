import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { healthyEtcd, onlyEtcd, voters, watchEtcd } from './etcd-watch.ts'
import { type Bench, startBench } from './harness.ts'
import { nodeNames } from './simulated-kubernetes.ts'
import { expectTidy, inventoryOf, newestCluster, stateFiles } from './world-facts.ts'

// One cluster, made larger and smaller.
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await apply(controlPlanes(1))
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function controlPlanes(count: number, type = 'cx23'): ClusterFile {
  const nodes = { controlPlane: { count, type }, workers: { count: 0, type: 'cx33' } }
  return clusterFile({}, { ...bare, nodes })
}

async function apply(file: ClusterFile, replace: readonly string[] = []): Promise<Plan> {
  return (await applyCluster(bench.run(), { file, replace })).plan
}

function brief({ changes }: Plan): string[] {
  return changes.map(({ action, key, risk }) => `${action} ${key} ${risk}`)
}

/** Ids of the servers by name. */
function serverIds(): Record<string, number> {
  const { servers } = bench.sandbox.world.hetzner
  return Object.fromEntries([...servers.values()].map(({ id, name }) => [name, id]))
}

/** That the cluster has so many control planes wherever one looks, and that nothing is left to do. */
async function expectHealthy(file: ClusterFile, count: number): Promise<void> {
  const { world } = bench.sandbox
  const names = Object.keys(healthyEtcd(count))
  expect(voters(world)).toEqual(healthyEtcd(count))
  expect(Object.keys(serverIds()).sort()).toEqual(names)
  expect(nodeNames(world)).toEqual(names)
  expect((await inventoryOf(bench)).nodes.map(({ name }) => name)).toEqual(names)
  expect(newestCluster(world).bootstraps).toHaveLength(1)
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(brief(plan)).toEqual([])
}

it('from one to five in one apply: they join one after the other', async () => {
  const watch = watchEtcd(bench)
  const plan = await apply(controlPlanes(5))
  expect(brief(plan)).toContain('create node/demo-control-plane-5 quorum')
  expect(watch.end()).toMatchObject({ sizes: [1, 2, 3, 4, 5], broken: [] })
  await expectHealthy(controlPlanes(5), 5)
})

it('no stage takes control planes away by itself', async () => {
  for (const stage of ['infra', 'talos'] as const) {
    const input = { file: controlPlanes(3), verb: 'apply', stage } as const
    const { findings } = (await planCluster(bench.run(), input)).plan
    expect(findings).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining('which no stage does by itself'),
      }),
    )
  }
})

it('from five to three: each leaves etcd and Kubernetes before its server goes', async () => {
  const watch = watchEtcd(bench)
  const plan = await apply(controlPlanes(3))
  expect(brief(plan)).toEqual([
    'delete node/demo-control-plane-5 quorum',
    'delete server/demo-control-plane-5 quorum',
    'delete node/demo-control-plane-4 quorum',
    'delete server/demo-control-plane-4 quorum',
  ])
  expect(plan.changes[0]?.reason).toBe('it leaves etcd and the cluster')
  expect(watch.end()).toMatchObject({ sizes: [5, 4, 3], broken: [] })
  await expectHealthy(controlPlanes(3), 3)
})

it('another server type replaces them one after the other, under their names and addresses', async () => {
  const [before, { nodes: known }] = [serverIds(), await inventoryOf(bench)]
  const watch = watchEtcd(bench)
  const plan = await apply(controlPlanes(3, 'cx33'))
  expect(plan.risk).toBe('quorum')
  expect(brief(plan).filter((line) => !line.includes('image'))).toEqual(
    [1, 2, 3].flatMap((slot) => [
      `replace server/demo-control-plane-${slot} quorum`,
      `replace node/demo-control-plane-${slot} quorum`,
    ]),
  )
  expect(watch.end()).toMatchObject({ sizes: [3, 2, 3, 2, 3, 2, 3], fewest: 2, broken: [] })
  await expectHealthy(controlPlanes(3, 'cx33'), 3)
  for (const [name, id] of Object.entries(serverIds())) expect(id).not.toBe(before[name])
  const { nodes } = await inventoryOf(bench)
  expect(nodes.map(({ privateIp }) => privateIp)).toEqual(known.map(({ privateIp }) => privateIp))
})

it('from three to one, the leader among those that go, and one answer lost', async () => {
  const { world } = bench.sandbox
  const etcd = onlyEtcd(world)
  const leader = () => etcd.members.get(etcd.leader ?? 0n)?.hostname
  if (leader() === 'demo-control-plane-1') etcd.forfeit(etcd.leader ?? 0n)
  const forfeits = `EtcdForfeitLeadership /${leader()}`
  talosState(world).faults.loseAnswer({ method: 'EtcdLeaveCluster' })
  const watch = watchEtcd(bench)
  const from = world.requests.length
  await apply(controlPlanes(1, 'cx33'))
  expect(watch.end()).toMatchObject({ sizes: [3, 2, 1], broken: [] })
  const calls = world.requests.slice(from).filter(({ method }) => method.startsWith('Etcd'))
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toContain(forfeits)
  await expectHealthy(controlPlanes(1, 'cx33'), 1)
  const { 'demo/journal.json': journal = '' } = await stateFiles(bench)
  const { entries }: { entries: { fact: string; node?: string }[] } = JSON.parse(journal)
  const removed = entries.filter(({ fact }) => fact === 'member-removed').map(({ node }) => node)
  expect(removed).toEqual(expect.arrayContaining(['demo-control-plane-2', 'demo-control-plane-3']))
})
