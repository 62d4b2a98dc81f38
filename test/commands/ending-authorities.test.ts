import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { openSession } from '../../src/run/hetzner-talos/cluster-session.ts'
import { bundleEnds } from '../../src/talos/config/authority-ends.ts'
import { parseSecretsBundle } from '../../src/talos/config/secrets-bundle-yaml.ts'
import { fixedKeyMaker } from '../talos/fixed-key-maker.ts'
import { startAgedBench } from './aged-cluster.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { findings } from './doctors-eye.ts'
import type { Bench } from './harness.ts'
import { hasNote, withKubernetes, writeNote } from './lost-etcd.ts'
import { bootIds } from './node-hands.ts'
import { expectTidy } from './world-facts.ts'

const firewall = { talosApi: ['127.0.0.0/8'], kubernetesApi: ['127.0.0.0/8'] }
const file = clusterFile({ controlPlanes: 3, workers: 1 }, { ...bare, firewall })
const year = 365 * 86_400_000

let bench: Bench
beforeAll(async () => {
  bench = await startAgedBench(file, 20)
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

async function secrets() {
  await using session = await openSession(bench.run(), file)
  await session.store.read()
  return parseSecretsBundle((await session.store.readSecrets()) ?? '', fixedKeyMaker)
}

it('authorities that end soon are in the plan without any key, and an apply issues them again', async () => {
  const state = { ...bench.run().state, identity: undefined }
  const { plan: blind } = await planCluster(bench.run({ state }), { file, verb: 'apply' })
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(blind.digest).toBe(plan.digest)
  expect(plan.changes.map(({ key, risk }) => `${risk} ${key}`).sort()).toEqual([
    'live secrets/demo',
    'reboot node/demo-control-plane-1',
    'reboot node/demo-control-plane-2',
    'reboot node/demo-control-plane-3',
    'restart node/demo-workers-1',
  ])
  const former = await mintAccess(bench.run(), { file, hours: 1 })
  await writeNote(bench, file, 'kept')
  const before = await secrets()
  const boots = bootIds(bench)

  await applyCluster(bench.run(), { file })

  const after = await secrets()
  for (const { notAfter } of bundleEnds(after))
    expect(notAfter).toBeGreaterThan(Date.now() + 9 * year)
  for (const name of ['etcd', 'k8s', 'k8sAggregator', 'os'] as const) {
    expect(after.certs[name].key).toBe(before.certs[name].key)
    expect(after.certs[name].crt).not.toBe(before.certs[name].crt)
  }
  // etcd reads its CA when it starts, so control planes reboot, one by one; a worker does not.
  const unlike = Object.entries(bootIds(bench)).filter(([name, id]) => boots[name] !== id)
  expect(unlike.map(([name]) => name).sort()).toEqual(
    [1, 2, 3].map((n) => `demo-control-plane-${n}`),
  )
  expect(await hasNote(bench, file, 'kept')).toBe(true)
  // What was handed out before goes on: the keys are the same.
  expect(former.kubeconfig).not.toBe('')
  expect((await planCluster(bench.run(), { file, verb: 'apply' })).plan.changes).toEqual([])
  expect(await findings(bench, file)).toEqual([])
  await withKubernetes(bench, file, async (client) => client.discovery())
})
