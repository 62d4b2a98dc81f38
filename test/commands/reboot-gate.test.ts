import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { fieldAt } from '../../src/lib/kubernetes-object.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { bootIds } from './node-hands.ts'
import { nodesOf } from './simulated-kubernetes.ts'

const pools = ['a', 'b'].map((name) => ({ name, count: 1, type: 'cx33' }))
const nodes = ['demo-a-1', 'demo-b-1', 'demo-control-plane-1']

function file(patches: JsonObject[] = [], more: JsonObject = {}): ClusterFile {
  const talos = { version: 'v1.13.9', patches }
  return clusterFile({ controlPlanes: 1, workers: pools }, { ...bare, talos, ...more })
}

it('what takes a reboot stops one node of the whole cluster at a time, cordoned before and uncordoned after', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: file() })
  const boots = bootIds(bench)
  const patch = { machine: { udev: { rules: ['A'] } } }
  const closed = { workloads: ['deployment/shop/web'], gateMinutes: 1 }
  await expect(
    applyCluster(bench.run(), { file: file([patch], { upgrade: closed }) }),
  ).rejects.toMatchObject({
    code: 'upgrade-gate-closed',
    message: expect.stringMatching(/^the apply stopped at demo-[a-z0-9-]+: wait for the gates: /),
    hint: expect.stringContaining('hcloud-talos apply'),
  })
  const unprepared: string[] = []
  let most = 0
  const cordoned = new Set<string>()
  world.onRequest(() => {
    const now = nodesOf(world).filter((node) => fieldAt(node, 'spec', 'unschedulable') === true)
    most = Math.max(most, now.length)
    for (const node of now) cordoned.add(node.metadata.name)
    // Whoever has another boot was cordoned for it.
    const others = bootIds(bench)
    for (const name of nodes) {
      if (others[name] !== boots[name] && !cordoned.has(name)) unprepared.push(name)
    }
  })
  const { plan } = await applyCluster(bench.run(), { file: file([patch]) })
  expect(plan.changes.map(({ risk }) => risk)).toEqual(['reboot', 'reboot', 'reboot'])
  const after = bootIds(bench)
  expect(nodes.filter((name) => boots[name] === after[name])).toEqual([])
  expect(most).toBe(1)
  expect(unprepared).toEqual([])
  expect([...cordoned].sort()).toEqual(nodes)
  const left = nodesOf(world).filter((node) => fieldAt(node, 'spec', 'unschedulable') === true)
  expect(left).toEqual([])
})

it('a replacement and a departure count as well: never is more than one node out of service', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  const three = (['a', 'b', 'c'] as const).map((name) => ({ name, count: 1, type: 'cx33' }))
  const of = (workers: JsonObject[], patches: JsonObject[] = []) => ({
    ...clusterFile({ workers }, { ...bare, talos: { version: 'v1.13.9', patches } }),
  })
  await applyCluster(bench.run(), { file: of(three) })
  let most = 0
  const seen = new Set<string>()
  world.onRequest(() => {
    const known = new Map(nodesOf(world).map((node) => [node.metadata.name, node]))
    const out = ['demo-a-1', 'demo-b-1', 'demo-c-1', 'demo-control-plane-1'].filter((name) => {
      const node = known.get(name)
      // One that left for good is out of service no more.
      if (node === undefined) return name === 'demo-b-1'
      return fieldAt(node, 'spec', 'unschedulable') === true
    })
    most = Math.max(most, out.length)
    for (const name of out) seen.add(name)
  })
  const patch = { machine: { udev: { rules: ['A'] } } }
  await applyCluster(bench.run(), {
    file: of(three.slice(0, 2), [patch]),
    replace: ['demo-b-1'],
  })
  expect(most).toBe(1)
  expect([...seen].sort()).toEqual(['demo-a-1', 'demo-b-1', 'demo-c-1', 'demo-control-plane-1'])
})
