import { expect, test } from 'vitest'
import { applyAddons } from '../../src/addons/apply.ts'
import { findAddonDrift } from '../../src/addons/find-drift.ts'
import { createAddonCluster } from '../../src/kubernetes/addon-cluster.ts'
import { createTransport } from '../../src/kubernetes/api-transport.ts'
import { clientOver } from '../../src/kubernetes/kubernetes-client.ts'
import { listNodes } from '../../src/kubernetes/nodes.ts'
import { textAt } from '../../src/lib/kubernetes-object.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { startAddonFixture, token } from './addon-fixture.ts'
import { sampleFacts } from './sample-spec.ts'

const cilium = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  namespace: 'kube-system',
  name: 'cilium',
}

test('bare nodes become usable, and a second run changes nothing', async () => {
  const { client, world, options } = await startAddonFixture()
  const first = await applyAddons(options)
  expect(Object.keys(first.addons)).toEqual(['cilium', 'hcloud-ccm', 'csr-approver', 'hcloud-csi'])
  expect(first.changes).toBeGreaterThan(30)
  const nodes = await listNodes(client)
  expect(nodes.map(({ name, ready, providerId }) => [name, ready, providerId])).toEqual([
    ['demo-control-plane-1', true, 'hcloud://1'],
    ['demo-workers-1', true, 'hcloud://2'],
  ])
  const second = await applyAddons({ ...options, recorded: first.addons })
  expect(second).toEqual({ addons: first.addons, changes: 0 })
  expect(world.contractErrors).toEqual([])
})

test('killed again and again, it continues where it was and ends with nothing left to do', async () => {
  const { world, connection, options } = await startAddonFixture()
  for (const requests of [3, 20, 45, 70, 110]) {
    const killed = new AbortController()
    let left = requests
    world.onRequest(({ front }) => {
      if (front === 'kubernetes' && --left === 0) killed.abort(new Error('killed'))
    })
    const client = clientOver(createTransport(connection, 30_000), {
      clock: world.clock,
      random: seededRandom(1),
      signal: killed.signal,
    })
    const cluster = createAddonCluster(client, { clock: world.clock, signal: killed.signal })
    await applyAddons({ ...options, cluster }).catch((error: unknown) => {
      if (!killed.signal.aborted) throw error
    })
    client.close()
  }
  const { addons } = await applyAddons(options)
  expect(await applyAddons({ ...options, recorded: addons })).toEqual({ addons, changes: 0 })
  expect(world.contractErrors).toEqual([])
})

test('what was tampered with is found, and put right by the next run', async () => {
  const { client, options } = await startAddonFixture()
  await applyAddons(options)
  expect(await findAddonDrift(options.spec, sampleFacts, options)).toEqual([])
  await client.patch(cilium, { spec: { template: { spec: { priorityClassName: null } } } })
  const drift = await findAddonDrift(options.spec, sampleFacts, options)
  expect(drift).toEqual([
    {
      addon: 'cilium',
      drifts: [{ ref: cilium, type: 'changed', paths: ['spec.template.spec.priorityClassName'] }],
    },
  ])
  expect(await applyAddons(options)).toMatchObject({ changes: 1 })
  expect(await findAddonDrift(options.spec, sampleFacts, options)).toEqual([])
})

test("a chart's hook is run once, as long as nothing changes", async () => {
  const { client, options } = await startAddonFixture('1.31.0')
  const job = { ...cilium, apiVersion: 'batch/v1', kind: 'Job', name: 'hubble-generate-certs' }
  await applyAddons(options)
  const uid = textAt(await client.get(job), 'metadata', 'uid')
  expect(uid).toBeDefined()
  expect(await applyAddons(options)).toMatchObject({ changes: 0 })
  expect(textAt(await client.get(job), 'metadata', 'uid')).toBe(uid)
})

test('an addon that is no longer wanted goes, and nothing else', async () => {
  const { client, options } = await startAddonFixture()
  const { addons: recorded } = await applyAddons(options)
  const { addons } = options.spec
  const spec = {
    ...options.spec,
    addons: { ...addons, hcloudCsi: { ...addons.hcloudCsi, enabled: false } },
  }
  const { changes } = await applyAddons({ ...options, spec, recorded })
  expect(changes).toBeGreaterThan(5)
  const driver = { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', name: 'csi.hetzner.cloud' }
  expect(await client.get(driver)).toBeUndefined()
  expect(await client.get(cilium)).toBeDefined()
  const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'kube-system', name: 'hcloud' }
  expect(await client.get(secret)).toMatchObject({ data: { token: btoa(token) } })
})
