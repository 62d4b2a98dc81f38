import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { textAt } from '../../src/lib/kubernetes-object.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { kubernetesOf, nodesOf } from './simulated-kubernetes.ts'
import { expectTidy } from './world-facts.ts'

// One small cluster without a network, whose upgrade is refused or stops in every way there is.
let bench: Bench
const first = '1.34.1'
const at = (kubernetes: string, more: JsonObject = {}, settings: JsonObject = {}) =>
  clusterFile(
    {},
    {
      ...bare,
      talos: { version: 'v1.13.9' },
      kubernetes: { version: kubernetes, ...settings },
      ...more,
    },
  )

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: at(first) })
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function kubelets(): (string | undefined)[] {
  return nodesOf(bench.sandbox.world).map((node) =>
    textAt(node, 'status', 'nodeInfo', 'kubeletVersion'),
  )
}

const faults = () => talosState(bench.sandbox.world).faults
const upgrade = (file: ClusterFile) => upgradeCluster(bench.run(), { file })

it.each([
  [
    'a step over a minor',
    at('1.36.3'),
    /one minor release at a time, and from 1\.34\.1 to 1\.36\.3/,
  ],
  ['a step back', at('1.33.6'), /does not go back from 1\.34\.1 to 1\.33\.6/],
  ['a step back by a patch', at('1.34.0'), /does not go back from 1\.34\.1 to 1\.34\.0/],
  [
    'a file of which the rest is not applied',
    at('1.34.4', {}, { apiServerExtraArgs: { 'audit-log-maxage': '7' } }),
    /the rest of the file must be applied before Kubernetes is upgraded: node\/demo-control-plane-1$/,
  ],
])('%s is refused before anything is changed', async (_what, file, message) => {
  const { plan } = await planCluster(bench.run(), { file, verb: 'upgrade' })
  const errors = plan.findings.filter(({ severity }) => severity === 'error')
  expect(errors.map((finding) => finding.message)).toContainEqual(expect.stringMatching(message))
  await expect(upgrade(file)).rejects.toMatchObject({ code: 'plan-refused' })
  expect(kubelets()).toEqual([`v${first}`, `v${first}`])
})

it.each([
  ['in the file', at('1.35.4', {}, { kubeletExtraArgs: { 'pod-infra-container-image': 'pause' } })],
  [
    'in a patch',
    at('1.35.4', {
      talos: {
        version: 'v1.13.9',
        patches: ['machine: {kubelet: {extraArgs: {pod-infra-container-image: pause}}}'],
      },
    }),
  ],
])(
  'an argument that the new version does not know is a finding %s by itself',
  async (_where, file) => {
    await expect(upgrade(file)).rejects.toMatchObject({
      code: 'spec-invalid',
      findings: expect.arrayContaining([
        expect.objectContaining({
          severity: 'error',
          message:
            'kubelet has no argument pod-infra-container-image since Kubernetes 1.35, and kubelet would not start',
        }),
      ]),
    })
    expect(kubelets()).toEqual([`v${first}`, `v${first}`])
  },
)

it('one that only the new version knows is refused while the old one runs', async () => {
  const file = at(
    '1.35.4',
    {},
    { controllerManagerExtraArgs: { 'controller-shutdown-timeout': '9s' } },
  )
  await expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({
    code: 'plan-refused',
    findings: expect.arrayContaining([
      expect.objectContaining({
        severity: 'error',
        path: ['kubernetes', 'controllerManagerExtraArgs', 'controller-shutdown-timeout'],
        message:
          'kube-controller-manager has no argument controller-shutdown-timeout before Kubernetes 1.35, and 1.34.1 still runs',
      }),
    ]),
  })
  expect(kubelets()).toEqual([`v${first}`, `v${first}`])
})

it('what would stop the upgrade is an error of the plan of the apply that comes before it', async () => {
  const { plan } = await planCluster(bench.run(), { file: at('1.33.6'), verb: 'apply' })
  expect(plan.findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      path: ['kubernetes', 'version'],
      message:
        'Kubernetes does not go back from 1.34.1 to 1.33.6: demo-control-plane-1 runs 1.34.1',
    }),
  )
})

it('images that a node cannot pull end it before anything is changed', async () => {
  faults().refuseImages('demo-workers-1', 'siderolabs/kubelet')
  await expect(upgrade(at('1.34.4'))).rejects.toMatchObject({
    code: 'image-pull-failed',
    target: 'demo-workers-1',
    message: expect.stringMatching(
      /^the upgrade stopped at demo-workers-1: pull images: .* cannot pull ghcr\.io\/siderolabs\/kubelet:v1\.34\.4/,
    ),
  })
  faults().release('demo-workers-1')
  expect(kubelets()).toEqual([`v${first}`, `v${first}`])
})

it('a gate that stays closed stops it, and says which', async () => {
  const gates = { upgrade: { workloads: ['deployment/shop/web'], gateMinutes: 1 } }
  await expect(upgrade(at('1.34.4', gates))).rejects.toMatchObject({
    code: 'upgrade-gate-closed',
    message: expect.stringContaining('Deployment shop/web is not there'),
    hint: expect.stringContaining('hcloud-talos upgrade'),
  })
  expect(kubelets()).toEqual([`v${first}`, `v${first}`])
})

it('a node that is not healthy stops it before anything is changed', async () => {
  const { world } = bench.sandbox
  const { context } = kubernetesOf(world)
  const [, worker] = nodesOf(world)
  if (!worker) throw new Error('the cluster has a worker')
  // Its kubelet fell silent, as far as Kubernetes knows.
  const conditions = [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }]
  context.store.put('nodes', { ...worker, status: { ...Object(worker['status']), conditions } })
  await expect(upgrade(at('1.34.4'))).rejects.toMatchObject({
    code: 'node-not-ready',
    target: 'demo-workers-1',
  })
  expect(kubelets()).toEqual([`v${first}`, `v${first}`])
  context.store.put('nodes', worker)
})

it('a container of before stops it, whatever was rendered and is Ready; then it goes on', async () => {
  const file = at('1.34.4')
  faults().keepContainer('demo-control-plane-1', 'kube-controller-manager')
  await expect(upgrade(file)).rejects.toMatchObject({
    code: 'wait-timeout',
    target: 'demo-control-plane-1',
    message: expect.stringMatching(
      /see kube-controller-manager 1\.34\.4 run: .*it still runs with its former config/,
    ),
  })
  faults().release('demo-control-plane-1')
  talosState(bench.sandbox.world).changed()
  // It goes on in the next test, with what is left.
})

it('a node that refuses stops it there: node, step, cause and how to go on are said; then it goes on', async () => {
  const file = at('1.34.4')
  faults().refuseConfig('demo-workers-1', 'no space left on device')
  await expect(upgrade(file)).rejects.toMatchObject({
    code: 'talos-refused',
    target: 'demo-workers-1',
    message: expect.stringMatching(
      /^the upgrade stopped at demo-workers-1: take kubelet to 1\.34\.4: .*no space left on device/,
    ),
    hint: expect.stringMatching(/run the upgrade again .*continues with what is left\.$/),
  })
  expect(kubelets()).toEqual(['v1.34.4', `v${first}`])
  faults().release('demo-workers-1')
  const { plan } = await upgrade(file)
  expect(plan.changes.map(({ key }) => key)).toEqual([
    'kubelet/demo-workers-1',
    'kubernetes/bootstrap-manifests',
  ])
  expect(kubelets()).toEqual(['v1.34.4', 'v1.34.4'])
})

it('an image of another version than its tag stops it by what the component says of itself', async () => {
  faults().mislabel('kube-scheduler:', 'v1.34.4')
  await expect(upgrade(at('1.34.6'))).rejects.toMatchObject({
    code: 'wait-timeout',
    target: 'demo-control-plane-1',
    message: expect.stringMatching(/see kube-scheduler 1\.34\.6 run: .*it reports v1\.34\.4/),
  })
})
