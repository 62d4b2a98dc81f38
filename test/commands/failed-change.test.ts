import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { ClusterError } from '../../src/lib/cluster-error.ts'
import { describeError } from '../../src/lib/describe-error.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { bootIds, runningConfig } from './node-hands.ts'
import { newestCluster } from './world-facts.ts'

// One cluster of three control planes and two workers; every change to it fails on the first node.
let bench: Bench
const controlPlanes = [1, 2, 3].map((slot) => `demo-control-plane-${slot}`)
const nodes = [...controlPlanes, 'demo-workers-1', 'demo-workers-2']

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: file() })
})

afterAll(() => bench[Symbol.asyncDispose]())

function file(more: JsonObject = {}): ClusterFile {
  const firewall = { talosApi: ['0.0.0.0/0'] }
  return clusterFile({ controlPlanes: 3, workers: 2 }, { ...bare, firewall, ...more })
}

const talos = (patches: JsonObject) => ({ talos: { version: 'v1.13.9', ...patches } })
const apiServerArgument = (name: string, value: string) =>
  talos({ controlPlanePatches: [{ cluster: { apiServer: { extraArgs: { [name]: value } } } }] })

/** The nodes whose API server answers. */
function apiServers(): string[] {
  const { world } = bench.sandbox
  const [instance] = newestCluster(world).kubernetes.values()
  const known = [...talosState(world).nodes]
  return known
    .filter((node) => instance?.isServedBy(node))
    .map(({ name }) => name)
    .sort()
}

/** How a run with this file fails, with what a person reads. */
async function failure(wanted: ClusterFile): Promise<{ error: ClusterError; text: string }> {
  try {
    await applyCluster(bench.run(), { file: wanted })
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    const { headline, details } = describeError(error)
    return { error, text: [headline, ...details].join('\n') }
  }
  throw new Error('it did not fail')
}

/** The nodes that run something of this text. */
function nodesWith(text: string): string[] {
  return nodes.filter((name) => runningConfig(bench, name).includes(text))
}

async function expectAsBefore(): Promise<void> {
  expect(apiServers()).toEqual(controlPlanes)
  const { plan } = await planCluster(bench.run(), { file: file(), verb: 'apply' })
  expect(plan.changes).toEqual([])
}

it('a value that the API server does not take stops after the first control plane, which gets its former config back', async () => {
  const wanted = file(apiServerArgument('audit-log-maxage', 'seven'))
  const { plan } = await planCluster(bench.run(), { file: wanted, verb: 'apply' })
  expect(plan.risk).toBe('restart')
  expect(plan.changes[0]?.reason).toMatch(/kube-apiserver restarts for that: requests to the/)
  const away: string[][] = []
  bench.sandbox.world.onRequest(() => {
    const up = apiServers()
    if (up.length < 3) away.push(controlPlanes.filter((name) => !up.includes(name)))
  })
  const { error, text } = await failure(wanted)
  expect(error).toMatchObject({ code: 'node-change-failed', target: 'demo-control-plane-1' })
  expect(error.exitCode).not.toBe(0)
  expect(text).toContain('cluster.apiServer.extraArgs.audit-log-maxage')
  expect(text).toMatch(/log of kube-apiserver \| .*invalid argument .*--audit-log-maxage/)
  expect(text).toContain('its former config was put back, and it is healthy again')
  // The others were never touched.
  const gone = new Set(away.flat())
  expect(gone).toEqual(new Set(['demo-control-plane-1']))
  expect(nodesWith('seven')).toEqual([])
  await expectAsBefore()
})

it('under the policy to stop, two API servers remain, and the corrected file brings the third back', async () => {
  const policy = { onFailedChange: 'stop' }
  const { text } = await failure(
    file({ ...apiServerArgument('audit-log-maxage', 'seven'), policy }),
  )
  expect(text).toContain('policy.onFailedChange')
  expect(apiServers()).toEqual(controlPlanes.slice(1))
  expect(nodesWith('seven')).toEqual(['demo-control-plane-1'])
  // The same run again finds the node as it is, and says the same.
  const again = await failure(file({ ...apiServerArgument('audit-log-maxage', 'seven'), policy }))
  expect(again.text).toMatch(/invalid argument .*--audit-log-maxage/)
  // What failed until the corrected config is taken up says nothing about it, another mistake in it does.
  const other = await failure(file({ ...apiServerArgument('audit-log-maxsize', 'six'), policy }))
  expect(other.text).toMatch(/invalid argument .*--audit-log-maxsize/)
  expect(other.text).toMatch(/exited 3 times/)
  await applyCluster(bench.run(), { file: file() })
  await expectAsBefore()
})

it('an admission configuration with a duplicate stops there too', async () => {
  const configuration = { exemptions: { namespaces: ['kube-system'] } }
  const admissionControl = [{ name: 'PodSecurity', configuration }]
  const wanted = file(
    talos({ controlPlanePatches: [{ cluster: { apiServer: { admissionControl } } }] }),
  )
  const { error, text } = await failure(wanted)
  expect(error.target).toBe('demo-control-plane-1')
  expect(text).toMatch(/Duplicate value/)
  await expectAsBefore()
})

it('a kubelet argument that cannot be read reaches one kubelet', async () => {
  const patches = [{ machine: { kubelet: { extraArgs: { 'max-pods': 'fifty' } } } }]
  const { error, text } = await failure(file(talos({ workerPatches: patches })))
  expect(error.target).toBe('demo-workers-1')
  expect(text).toMatch(/kubelet is not healthy: .*going to restart forever/)
  expect(text).toContain('--max-pods')
  expect(nodesWith('fifty')).toEqual([])
  await expectAsBefore()
})

it('a configuration of the kubelet that Talos makes nothing of is no success, though every kubelet runs on', async () => {
  const extraConfig = { logging: { flushFrequency: 'often' } }
  const patches = [{ machine: { kubelet: { extraConfig } } }]
  const { error, text } = await failure(file(talos({ workerPatches: patches })))
  expect(error.target).toBe('demo-workers-1')
  expect(text).toMatch(/Talos makes nothing of its settings.*: .*invalid duration/)
  expect(text).toContain('its former config was put back, and it is healthy again')
  expect(nodesWith('often')).toEqual([])
  await expectAsBefore()
})

it('a value that etcd does not take is a reboot of one control plane, which comes back without it', async () => {
  const boots = bootIds(bench)
  const wanted = file(
    talos({
      controlPlanePatches: [
        { cluster: { etcd: { extraArgs: { 'quota-backend-bytes': 'lots' } } } },
      ],
    }),
  )
  const { plan } = await planCluster(bench.run(), { file: wanted, verb: 'apply' })
  expect(plan.risk).toBe('reboot')
  const { error, text } = await failure(wanted)
  expect(error.target).toBe('demo-control-plane-1')
  expect(text).toMatch(/log of etcd \| invalid value "lots" for flag -quota-backend-bytes: parse/)
  expect(text).toContain('task "etcd" failed: exit code 2; its former config')
  expect(text).not.toContain('etcd [flags]')
  const after = bootIds(bench)
  expect(nodes.filter((name) => boots[name] !== after[name])).toEqual(['demo-control-plane-1'])
  await expectAsBefore()
})

it('a controller manager that continues with its former flags ends it, whatever was rendered', async () => {
  const { faults } = talosState(bench.sandbox.world)
  faults.keepContainer('demo-control-plane-1', 'kube-controller-manager')
  const args = { 'terminated-pod-gc-threshold': '1000' }
  const patches = talos({
    controlPlanePatches: [{ cluster: { controllerManager: { extraArgs: args } } }],
  })
  const { error, text } = await failure(file({ ...patches, policy: { onFailedChange: 'stop' } }))
  expect(error.target).toBe('demo-control-plane-1')
  expect(text).toContain(
    'kube-controller-manager is not healthy: it still runs with its former config',
  )
  expect(nodesWith('terminated-pod-gc-threshold')).toEqual(['demo-control-plane-1'])
  faults.release('demo-control-plane-1')
  await applyCluster(bench.run(), { file: file() })
  await expectAsBefore()
})
