import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/apply-cluster.ts'
import type { ClusterFile } from '../../src/commands/cluster-session.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { fieldAt } from '../../src/lib/kubernetes-object.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { bootIds } from './node-hands.ts'
import { nodesOf } from './simulated-kubernetes.ts'

const pools = ['a', 'b'].map((name) => ({ name, count: 1, type: 'cx33' }))
const nodes = ['demo-a-1', 'demo-b-1', 'demo-control-plane-1']

function file(patches: JsonObject[] = []): ClusterFile {
  const talos = { version: 'v1.13.9', patches }
  return clusterFile({ controlPlanes: 1, workers: pools }, { ...bare, talos })
}

it('what takes a reboot stops one node of the whole cluster at a time, cordoned before and uncordoned after', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: file() })
  const boots = bootIds(bench)
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
  const patch = { machine: { udev: { rules: ['A'] } } }
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
