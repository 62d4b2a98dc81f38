import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { listAt } from '../../src/lib/kubernetes-object.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { deleteServerByHand } from './by-hand.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { nodeNames, nodesOf, usableNodes } from './simulated-kubernetes.ts'
import { expectTidy, inventoryOf, newestCluster } from './world-facts.ts'

// One cluster, changed by one file after the other.
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await apply(pools(['first', 2], ['middle', 1], ['last', 1]))
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function pools(...all: readonly (readonly [name: string, count: number, more?: object])[]) {
  const workers = all.map(([name, count, more]) => ({ name, count, type: 'cx33', ...more }))
  return clusterFile({ workers })
}

async function apply(file: ClusterFile): Promise<Plan> {
  return (await applyCluster(bench.run(), { file })).plan
}

/** Ids of the servers by name: what is kept keeps its id. */
function serverIds(): Record<string, number> {
  const { servers } = bench.sandbox.world.hetzner
  return Object.fromEntries([...servers.values()].map(({ id, name }) => [name, id]))
}

function nodeNamed(name: string) {
  return nodesOf(bench.sandbox.world).find(({ metadata }) => metadata.name === name)
}

function keys({ changes }: Plan): string[] {
  return changes.map(({ action, key }) => `${action} ${key}`)
}

function bootIds(): Record<string, string> {
  const { machines } = bench.sandbox.world
  return Object.fromEntries([...machines.values()].map(({ name, bootId }) => [name, bootId]))
}

it('a pool grows and shrinks at its end; drained nodes leave Kubernetes before their servers go', async () => {
  const { world } = bench.sandbox
  const before = serverIds()
  await apply(pools(['first', 3], ['middle', 1], ['last', 1]))
  expect(serverIds()).toMatchObject(before)
  expect(usableNodes(world)).toContain('demo-first-3')

  const shrinking = world.requests.length
  await apply(pools(['first', 1], ['middle', 1], ['last', 1]))
  const { 'demo-first-2': _, ...kept } = before
  expect(serverIds()).toEqual(kept)
  expect(nodeNames(world)).toEqual(Object.keys(kept).sort())
  expect((await inventoryOf(bench)).nodes.map(({ name }) => name).sort()).toEqual(
    Object.keys(kept).sort(),
  )

  const order = world.requests
    .slice(shrinking)
    .filter(({ method, path }) => method === 'DELETE' && /^\/(api\/v1\/nodes|servers)\//.test(path))
    .map(({ front }) => front)
  expect(order.indexOf('hetzner')).toBeGreaterThan(order.indexOf('kubernetes'))
  expect(order.toSorted()).toEqual(['hetzner', 'hetzner', 'kubernetes', 'kubernetes'])
})

it('a pool that is taken out of the middle leaves the others as they are', async () => {
  const { 'demo-middle-1': _, ...others } = serverIds()
  const boots = bootIds()
  const plan = await apply(pools(['first', 1], ['last', 1]))
  expect(keys(plan)).toEqual([
    'delete node/demo-middle-1',
    'delete server/demo-middle-1',
    'delete placement-group/demo-middle-1',
  ])
  expect(serverIds()).toEqual(others)
  expect(bootIds()['demo-last-1']).toBe(boots['demo-last-1'])
})

it('labels, taints and patches reach running nodes without a reboot', async () => {
  const boots = bootIds()
  const servers = serverIds()
  const plan = await apply(
    pools(
      ['first', 1],
      [
        'last',
        1,
        {
          labels: { 'example.com/team': 'shop' },
          taints: [{ key: 'example.com/dedicated', value: 'shop', effect: 'NoSchedule' }],
          patches: [{ machine: { sysctls: { 'vm.max_map_count': '262144' } } }],
        },
      ],
    ),
  )
  // Cilium tolerates the taints of the file from then on.
  expect(keys(plan)).toEqual(['update node/demo-last-1', 'update addon/cilium'])
  const node = nodeNamed('demo-last-1')
  expect(node?.metadata.labels).toMatchObject({ 'example.com/team': 'shop' })
  expect(node?.['spec']).toMatchObject({
    taints: [{ key: 'example.com/dedicated', value: 'shop', effect: 'NoSchedule' }],
  })
  expect(bootIds()).toEqual(boots)
  expect(serverIds()).toEqual(servers)
})

it('another server type replaces the workers of a pool one after the other', async () => {
  await apply(pools(['first', 2], ['last', 1]))
  expect(listAt(nodeNamed('demo-last-1'), 'spec', 'taints')).toEqual([])
  const before = serverIds()
  let fewest = Number.POSITIVE_INFINITY
  const { world } = bench.sandbox
  let watching = true
  world.onRequest(() => {
    if (!watching) return
    fewest = Math.min(fewest, usableNodes(world).filter((name) => name.includes('first')).length)
  })
  const plan = await apply(pools(['first', 2, { type: 'cx43' }], ['last', 1]))
  watching = false
  expect(keys(plan)).toContain('replace server/demo-first-1')
  expect(fewest).toBe(1)
  const after = serverIds()
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())
  const changed = Object.keys(after).filter((name) => after[name] !== before[name])
  expect(changed.sort()).toEqual(['demo-first-1', 'demo-first-2'])
})

it('a worker that was deleted by hand is recreated under its name and address', async () => {
  const address = (await inventoryOf(bench)).nodes.find(({ name }) => name === 'demo-first-2')
  await deleteServerByHand(bench, 'demo-first-2')
  await apply(pools(['first', 2, { type: 'cx43' }], ['last', 1]))
  const { nodes } = await inventoryOf(bench)
  expect(nodes.find(({ name }) => name === 'demo-first-2')?.privateIp).toBe(address?.privateIp)
  expect(usableNodes(bench.sandbox.world)).toContain('demo-first-2')
  expect(newestCluster(bench.sandbox.world).bootstraps).toHaveLength(1)
})
