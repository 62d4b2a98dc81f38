import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { fieldAt } from '../../src/lib/kubernetes-object.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { specDigest } from '../../src/spec/spec-digest.ts'
import { getVersion } from '../../src/talos/api/node-version.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { byHand } from './by-hand.ts'
import { clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { nodeNames, nodesOf } from './simulated-kubernetes.ts'
import {
  changesDuring,
  expectLabelled,
  expectTidy,
  holdings,
  inventoryOf,
  newestCluster,
  stateFiles,
} from './world-facts.ts'

const file = clusterFile(
  {
    workers: [
      { name: 'intel', count: 3, type: 'cx33' },
      { name: 'arm', count: 2, type: 'cax21', labels: { 'example.com/team': 'shop' } },
    ],
  },
  {
    hetzner: { region: 'hel1', network: 'office' },
    endpoint: { type: 'dns', name: 'api.example.com' },
    cni: { type: 'none' },
  },
)

const nodes = [
  'demo-arm-1',
  'demo-arm-2',
  'demo-control-plane-1',
  'demo-intel-1',
  'demo-intel-2',
  'demo-intel-3',
]

it('an apply makes a cluster of both architectures in a network that was there', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await byHand(bench, 'POST', '/networks', {
    name: 'office',
    ip_range: '10.0.0.0/16',
    labels: { owner: 'office' },
    subnets: ['10.0.64.0/19', '10.0.32.0/24'].map((ip_range) => ({
      type: 'cloud',
      network_zone: 'eu-central',
      ip_range,
    })),
  })

  const { plan } = await applyCluster(bench.run(), { file, keepRule: true })
  expect(plan.risk).toBe('additive')

  const { kubeconfig, talosconfig = '' } = await mintAccess(bench.run(), { file, hours: 1 })
  expect(kubeconfig).toContain('server: https://api.example.com:6443')
  for (const client of talosClients(talosconfig)) {
    using talos = client
    expect(await getVersion(talos)).toMatchObject({ tag: 'v1.13.9' })
  }

  // The second run deletes the temporary firewall rule that the first left open for its job, and changes nothing else.
  const again = () => applyCluster(bench.run(), { file })
  expect(await changesDuring(world, again)).toEqual([])
  await expectTidy(bench)

  expect(holdings(world)).toEqual({
    servers: nodes,
    networks: ['office'],
    firewalls: ['demo'],
    placementGroups: ['demo-arm-1', 'demo-control-plane-1', 'demo-intel-1'],
    sshKeys: ['demo'],
    snapshots: [
      expect.stringMatching(/^Talos v1\.13\.9 amd64/),
      expect.stringMatching(/^Talos v1\.13\.9 arm64/),
    ],
  })
  expectLabelled(world, await inventoryOf(bench), ['office'])

  // What was done is on the branch, and how far the branch has come is at Hetzner, also without a network of ours.
  const files = await stateFiles(bench)
  const manifest = JSON.parse(files['demo/manifest.json'] ?? '')
  const [firewall] = [...world.hetzner.firewalls.values()]
  expect(firewall?.labels['generation']).toBe(String(manifest.generation))
  expect(manifest).toMatchObject({ specDigest: specDigest(readClusterFile(file).spec) })
  expect(JSON.parse(files[`demo/plans/${plan.digest}.json`] ?? '')).toMatchObject({
    digest: plan.digest,
    specDigest: manifest.specDigest,
    changes: plan.changes.map(({ action, key }) => `${action} ${key}`),
    run: 'test-1',
  })

  // One etcd, everybody joined, each node known to the cloud controller; the pod network is the user's.
  expect(newestCluster(world).bootstraps).toMatchObject([{ node: 'demo-control-plane-1' }])
  expect(nodeNames(world)).toEqual(nodes)
  for (const node of nodesOf(world)) {
    expect(fieldAt(node, 'spec', 'providerID')).toMatch(/^hcloud:\/\/\d+$/)
  }
  const [arm] = nodesOf(world)
  expect(arm?.metadata.labels).toMatchObject({
    'example.com/team': 'shop',
    'kubernetes.io/arch': 'arm64',
  })

  expect(Object.keys(files).sort()).toEqual([
    'demo/inventory.json',
    'demo/journal.json',
    'demo/manifest.json',
    'demo/manifest.sig',
    ...nodes.map((name) => `demo/nodes/${name}.sops.yaml`),
    `demo/plans/${plan.digest}.json`,
    'demo/secrets.sops.yaml',
  ])
})

/** A client for each endpoint that a talosconfig names. */
function talosClients(talosconfig: string): TalosClient[] {
  const { context, contexts } = parse(talosconfig)
  const { endpoints, ca, crt, key } = contexts[context]
  const decode = (text: string) => Buffer.from(text, 'base64').toString()
  const credentials = { ca: decode(ca), crt: decode(crt), key: decode(key) }
  return endpoints.map((address: string) => new TalosClient({ address, credentials }))
}
