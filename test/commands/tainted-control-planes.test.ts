import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/apply-cluster.ts'
import { planCluster } from '../../src/commands/plan-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { listAt } from '../../src/lib/kubernetes-object.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { nodesOf } from './simulated-kubernetes.ts'
import { expectTidy } from './world-facts.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

function tainted(...taints: JsonObject[]) {
  const file = clusterFile({ controlPlanes: 1, workers: 1 })
  const spec = JSON.parse(file.text)
  spec.nodes.controlPlane.taints = taints
  return { ...file, text: JSON.stringify(spec) }
}

it('a new cluster whose control planes have taints comes up, and takes another one', async () => {
  const first = tainted({ key: 'example.com/infra', value: 'yes', effect: 'NoSchedule' })
  await applyCluster(bench.run(), { file: first })
  await expectTidy(bench)

  const second = tainted(
    { key: 'example.com/infra', value: 'no', effect: 'NoSchedule' },
    { key: 'example.com/reserved', effect: 'NoExecute' },
  )
  const { plan } = await planCluster(bench.run(), { file: second, verb: 'apply' })
  expect(plan.changes.map(({ key }) => key)).toEqual([
    'node/demo-control-plane-1',
    'addon/cilium',
    'addon/hcloud-ccm',
    'addon/csr-approver',
    'addon/hcloud-csi',
  ])
  await applyCluster(bench.run(), { file: second })
  const node = nodesOf(bench.sandbox.world).find(({ metadata }) => /control/.test(metadata.name))
  const taints = listAt(node, 'spec', 'taints')
  expect(taints).toContainEqual({ key: 'example.com/reserved', effect: 'NoExecute' })
  expect(taints).toContainEqual({ key: 'example.com/infra', value: 'no', effect: 'NoSchedule' })
  expect((await planCluster(bench.run(), { file: second, verb: 'apply' })).plan.changes).toEqual([])
  await expectTidy(bench)
})
