import { afterAll, beforeAll, expect, it } from 'vitest'
import { releaseOf } from '../../src/addons/addon-release.ts'
import { enabledAddons } from '../../src/addons/catalogue.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { listAt } from '../../src/lib/kubernetes-object.ts'
import { addonsOf } from '../../src/planner/hetzner-talos/addons-of.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
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

it('taints that stand in patches alone are tolerated as well, of control planes and of pools', async () => {
  const file = (value: string) =>
    clusterFile(
      { controlPlanes: 1, workers: 1 },
      {
        clusterName: 'other',
        network: { cidr: '10.1.0.0/16' },
        state: { alongside: ['demo'] },
        talos: {
          version: 'v1.13.9',
          controlPlanePatches: [
            `machine: {nodeTaints: {example.com/patched: "${value}:NoSchedule"}}`,
            'machine: {kubelet: {extraConfig: {registerWithTaints: [{key: example.com/born, effect: NoExecute}]}}}',
          ],
          workerPatches: [
            'machine: {kubelet: {extraConfig: {registerWithTaints: [{key: example.com/pool, effect: NoSchedule}]}}}',
          ],
        },
      },
    )
  await applyCluster(bench.run(), { file: file('yes') })
  const { spec } = readClusterFile(file('yes'))
  expect(JSON.stringify(releasesOf(spec, 'hcloud-ccm'))).toMatch(
    /"key":"example.com\/born","operator":"Exists","effect":"NoExecute".*example.com\/patched/,
  )
  expect(JSON.stringify(releasesOf(spec, 'cilium'))).toContain('example.com/pool')
  // Another value of it is no change of any addon.
  const { plan } = await planCluster(bench.run(), { file: file('no'), verb: 'apply' })
  expect(plan.changes.map(({ key }) => key)).toEqual(['node/other-control-plane-1'])
})

function releasesOf(spec: ClusterSpec, name: string) {
  const addon = enabledAddons(spec, addonsOf).find((one) => one.name === name)
  return addon && releaseOf(addon, spec, { uid: 'u' }).values
}
