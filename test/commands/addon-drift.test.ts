import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { fieldAt, textAt } from '../../src/lib/kubernetes-object.ts'
import { toApprovedPlan } from '../../src/plan/verdict.ts'
import type { WriteOptions } from '../../src/sandbox/kubernetes/api/api-context.ts'
import { createObject } from '../../src/sandbox/kubernetes/api/create-object.ts'
import { deleteObject } from '../../src/sandbox/kubernetes/api/delete-object.ts'
import { updateObject } from '../../src/sandbox/kubernetes/api/update-object.ts'
import { type KubeObject, withSpec } from '../../src/sandbox/kubernetes/model/kube-object.ts'
import { objectAt } from '../../src/sandbox/kubernetes/model/read-json.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { listeningProgress } from './listening-progress.ts'
import { kubernetesOf } from './simulated-kubernetes.ts'
import { expectTidy } from './world-facts.ts'

const open = { firewall: { kubernetesApi: ['0.0.0.0/0'], talosApi: ['0.0.0.0/0'] } }
const file = clusterFile({ workers: 1 }, open)
const operator = 'kube-system/cilium-operator'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
})
afterAll(() => bench[Symbol.asyncDispose]())

const api = () => kubernetesOf(bench.sandbox.world).context

function edit(
  resource: string,
  key: string,
  change: (live: KubeObject) => KubeObject,
  options: WriteOptions = { manager: 'kubectl-edit' },
) {
  updateObject(api(), api().resources.builtin(resource), key, change, options)
}

const scaledTo =
  (replicas: number) =>
  (live: KubeObject): KubeObject =>
    withSpec(live, { ...objectAt(live, 'spec'), replicas })

const object = (resource: string, key: string) => api().store.get(resource, key)

const planOf = async (of = file) =>
  (await planCluster(bench.run(), { file: of, verb: 'apply' })).plan

it('objects as they were applied are no difference, whatever others added to them', async () => {
  edit('deployments.apps', operator, (live) => ({
    ...live,
    metadata: {
      ...live.metadata,
      annotations: { ...live.metadata.annotations, 'example.com/a': 'b' },
    },
  }))
  expect((await planOf()).changes).toEqual([])
  expect((await applyCluster(bench.run(), { file })).plan.changes).toEqual([])
  expect(
    textAt(object('deployments.apps', operator), 'metadata', 'annotations', 'example.com/a'),
  ).toBe('b')
})

it('what was deleted, edited or scaled to nothing is in the plan, and put back', async () => {
  deleteObject(api(), api().resources.builtin('daemonsets.apps'), 'kube-system/cilium', {})
  edit('deployments.apps', operator, scaledTo(0), { manager: 'kubectl', subresource: 'scale' })
  const result = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(result.drifted).toEqual(['the addon cilium'])
  expect(result.plan.changes).toMatchObject([
    {
      key: 'addon/cilium',
      action: 'update',
      risk: 'live',
      fields: [
        { path: 'DaemonSet kube-system/cilium', before: undefined },
        { path: 'Deployment kube-system/cilium-operator', before: 'spec.replicas' },
      ],
    },
  ])
  const { plan } = await applyCluster(bench.run(), { file })
  expect(plan.digest).toBe(result.plan.digest)
  expect(object('daemonsets.apps', 'kube-system/cilium')).toBeDefined()
  expect(fieldAt(object('deployments.apps', operator), 'spec', 'replicas')).toBe(1)
  expect((await planOf()).changes).toEqual([])
  await expectTidy(bench)
})

const approver = 'kube-system/kubelet-csr-approver'
const replicas = () => fieldAt(object('deployments.apps', approver), 'spec', 'replicas')

it('an approved plan that says nothing of it leaves it, and so does the policy to report', async () => {
  const approved = toApprovedPlan(await planOf())
  edit('deployments.apps', approver, scaledTo(0), { manager: 'kubectl', subresource: 'scale' })
  const log: string[] = []
  const progress = listeningProgress(log)
  const applied = await applyCluster(bench.run({ progress }), { file, approved })
  expect(applied.plan.changes).toEqual([])
  expect(log.join('\n')).toContain('the objects of the addon csr-approver stay as they are')
  expect(replicas()).toBe(0)

  const reporting = clusterFile({ workers: 1 }, { ...open, policy: { onAddonDrift: 'report' } })
  const plan = await planOf(reporting)
  expect(plan.changes).toEqual([])
  expect(plan.findings.map(({ message }) => message)).toContain(
    'the objects of the addon csr-approver were changed by hand: Deployment kube-system/kubelet-csr-approver is changed',
  )
  await applyCluster(bench.run(), { file: reporting })
  expect(replicas()).toBe(0)
  await applyCluster(bench.run(), { file })
  expect(replicas()).toBe(1)
})

it('what is left stays when another addon changes, under an approved plan and under the policy', async () => {
  const addons = (nodes: string) => ({
    hcloudCsi: { values: { node: { podAnnotations: { 'example.com/a': nodes } } } },
  })
  const other = clusterFile({ workers: 1 }, { ...open, addons: addons('b') })
  const approved = toApprovedPlan(await planOf(other))
  edit('deployments.apps', approver, scaledTo(0), { manager: 'kubectl', subresource: 'scale' })
  const applied = await applyCluster(bench.run(), { file: other, approved })
  expect(applied.plan.changes.map(({ key }) => key)).toEqual(['addon/hcloud-csi'])
  expect(replicas()).toBe(0)

  const policy = { onAddonDrift: 'report' }
  const reporting = clusterFile({ workers: 1 }, { ...open, policy, addons: addons('c') })
  await applyCluster(bench.run(), { file: reporting })
  expect(replicas()).toBe(0)
  expect((await planOf(reporting)).changes).toEqual([])

  await applyCluster(bench.run(), { file })
  expect(replicas()).toBe(1)
  await expectTidy(bench)
})

it('what an autoscaler sets is its own, as long as there is one', async () => {
  const hpa = api().resources.builtin('horizontalpodautoscalers.autoscaling')
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'kubelet-csr-approver' }
  const made: KubeObject = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'approver', namespace: 'kube-system' },
    spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 3 },
  }
  createObject(api(), hpa, made, { manager: 'kubectl' })
  const autoscaler = { manager: 'kube-controller-manager', subresource: 'scale' } as const
  edit('deployments.apps', approver, scaledTo(2), autoscaler)
  expect((await planOf()).changes).toEqual([])
  edit('deployments.apps', operator, scaledTo(0), { manager: 'kubectl', subresource: 'scale' })
  await applyCluster(bench.run(), { file })
  expect(replicas()).toBe(2)

  deleteObject(api(), hpa, 'kube-system/approver', {})
  expect((await planOf()).changes.map(({ key }) => key)).toEqual(['addon/csr-approver'])
  await applyCluster(bench.run(), { file })
  expect(replicas()).toBe(1)
  expect((await planOf()).changes).toEqual([])
})
