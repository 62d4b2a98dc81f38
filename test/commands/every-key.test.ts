import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { FindingsError } from '../../src/lib/findings-error.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/lib/json.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { type Bench, startBench } from './harness.ts'
import { schemaKeys } from './schema-keys.ts'
import { expectTidy } from './world-facts.ts'

// Every key of the cluster file does something: with another value the plan of a new cluster and that of one that runs
// are others, or a finding says why not. Keys that say how a run behaves have a test of their own instead.

const root = join(import.meta.dirname, '../..')
const base: JsonObject = {
  clusterName: 'demo',
  hetzner: { region: 'hel1' },
  nodes: {
    controlPlane: { count: 1, type: 'cx23' },
    workers: [{ name: 'workers', count: 1, type: 'cx33' }],
  },
  talos: { version: 'v1.13.8' },
  kubernetes: { version: '1.36.2' },
}

const worker = (more: JsonObject): JsonObject => ({
  nodes: {
    controlPlane: { count: 1, type: 'cx23' },
    workers: [{ name: 'workers', count: 1, type: 'cx33', ...more }],
  },
})
const controlPlane = (more: JsonObject): JsonObject => ({ nodes: { controlPlane: more } })
const sysctl = [{ machine: { sysctls: { 'vm.swappiness': '10' } } }]
const taint = { key: 'example.com/own', value: 'yes', effect: 'NoSchedule' }
const rule = { direction: 'in', protocol: 'tcp', port: '30000', sources: ['203.0.113.0/24'] }
const extraRule = (more: JsonObject, { sources, ...bare } = rule): JsonObject => ({
  firewall: { extraRules: [{ ...bare, ...(more['destinations'] ? {} : { sources }), ...more }] },
})
const oidc = (more: JsonObject): JsonObject => ({
  kubernetes: { oidc: { issuerUrl: 'https://id.example.com', clientId: 'kubernetes', ...more } },
})
const dns: JsonObject = { endpoint: { type: 'dns', name: 'k8s.example.com' } }
const custom = (addon: JsonObject): JsonObject => ({ addons: { custom: [addon] } })
const shop = {
  type: 'helm',
  name: 'shop',
  namespace: 'shop',
  repository: 'https://charts.example.com',
  chart: 'example-app',
  version: '1.0.0',
}
const objects = {
  type: 'manifest',
  name: 'shop',
  namespace: 'shop',
  urls: [{ url: 'https://example.com/crds.yaml', sha256: 'a'.repeat(64) }],
  inline: ['{apiVersion: v1, kind: ConfigMap, metadata: {name: shop}}'],
}

interface Walk {
  /** Laid over the file. */
  readonly more: JsonObject
  /** Laid over it in either case: what the key says something of. */
  readonly beside?: JsonObject
}

const change = (more: JsonObject, beside?: JsonObject): Walk => ({
  more,
  ...(beside && { beside }),
})

/** Another value for each key that decides what a cluster is like. */
const values: Readonly<Record<string, Walk>> = {
  clusterName: change({ clusterName: 'other' }),
  'hetzner.region': change({ hetzner: { region: 'fsn1' } }),
  'hetzner.networkZone': change({ hetzner: { networkZone: 'us-east' } }),
  'hetzner.sshKeys': change({ hetzner: { sshKeys: ['nobody-has-it'] } }),
  'hetzner.serverLimit': change({ hetzner: { serverLimit: 1 } }),
  'hetzner.network': change({ hetzner: { network: 'lent' } }),
  'network.cidr': change({ network: { cidr: '10.8.0.0/16' } }),
  'network.nodeRange': change({ network: { nodeRange: '10.0.128.0/24' } }),
  'network.podRange': change({ network: { podRange: '10.0.192.0/18' } }),
  'network.serviceRange': change({ network: { serviceRange: '10.0.112.0/20' } }),
  'network.loadBalancerRange': change({ network: { loadBalancerRange: '10.0.80.0/24' } }),
  'network.dnsDomain': change({ network: { dnsDomain: 'cluster.example' } }),
  'network.publicIpv4.controlPlane': change({ network: { publicIpv4: { controlPlane: false } } }),
  'network.publicIpv4.workers': change({ network: { publicIpv4: { workers: false } } }),
  'network.publicIpv6.controlPlane': change({ network: { publicIpv6: { controlPlane: false } } }),
  'network.publicIpv6.workers': change({ network: { publicIpv6: { workers: false } } }),
  'firewall.kubernetesApi': change({ firewall: { kubernetesApi: ['203.0.113.0/24'] } }),
  'firewall.talosApi': change({ firewall: { talosApi: ['203.0.113.0/24'] } }),
  'firewall.extraRules.description': change(extraRule({ description: 'ours' }), extraRule({})),
  'firewall.extraRules.direction': change(
    extraRule({ direction: 'out', destinations: ['203.0.113.0/24'] }),
  ),
  'firewall.extraRules.protocol': change(extraRule({ protocol: 'udp' }), extraRule({})),
  'firewall.extraRules.port': change(extraRule({ port: '30001' }), extraRule({})),
  'firewall.extraRules.sources': change(extraRule({ sources: ['198.51.100.0/24'] }), extraRule({})),
  'firewall.extraRules.destinations': change(
    extraRule({ direction: 'out', destinations: ['198.51.100.0/24'] }),
    extraRule({ direction: 'out', destinations: ['203.0.113.0/24'] }),
  ),
  'loadBalancer.type': change({ loadBalancer: { type: 'lb21' } }),
  'loadBalancer.location': change({ loadBalancer: { location: 'fsn1' } }),
  'loadBalancer.privateOnly': change({ loadBalancer: { privateOnly: false } }),
  'endpoint.type': change(dns),
  'endpoint.name': change({ endpoint: { type: 'dns', name: 'api.example.com' } }, dns),
  'endpoint.address': change({ endpoint: { type: 'vip', address: '10.0.64.99' } }),
  'nodes.controlPlane.count': change(controlPlane({ count: 3 })),
  'nodes.controlPlane.type': change(controlPlane({ type: 'cx33' })),
  'nodes.controlPlane.arch': change(controlPlane({ arch: 'arm64' })),
  'nodes.controlPlane.locations': change(controlPlane({ locations: ['fsn1'] })),
  'nodes.controlPlane.labels': change(controlPlane({ labels: { team: 'shop' } })),
  'nodes.controlPlane.annotations': change(controlPlane({ annotations: { team: 'shop' } })),
  'nodes.controlPlane.taints.key': change(controlPlane({ taints: [taint] })),
  'nodes.controlPlane.taints.value': change(
    controlPlane({ taints: [{ ...taint, value: 'no' }] }),
    controlPlane({ taints: [taint] }),
  ),
  'nodes.controlPlane.taints.effect': change(
    controlPlane({ taints: [{ ...taint, effect: 'NoExecute' }] }),
    controlPlane({ taints: [taint] }),
  ),
  'nodes.controlPlane.patches': change(controlPlane({ patches: sysctl })),
  'nodes.workers.name': change(worker({ name: 'others' })),
  'nodes.workers.count': change(worker({ count: 2 })),
  'nodes.workers.type': change(worker({ type: 'cx43' })),
  'nodes.workers.arch': change(worker({ arch: 'arm64' })),
  'nodes.workers.locations': change(worker({ locations: ['fsn1'] })),
  'nodes.workers.labels': change(worker({ labels: { team: 'shop' } })),
  'nodes.workers.annotations': change(worker({ annotations: { team: 'shop' } })),
  'nodes.workers.taints.key': change(worker({ taints: [taint] })),
  'nodes.workers.taints.value': change(
    worker({ taints: [{ ...taint, value: 'no' }] }),
    worker({ taints: [taint] }),
  ),
  'nodes.workers.taints.effect': change(
    worker({ taints: [{ ...taint, effect: 'NoExecute' }] }),
    worker({ taints: [taint] }),
  ),
  'nodes.workers.patches': change(worker({ patches: sysctl })),
  'nodes.workers.autoscaling.min': change(worker({ autoscaling: { min: 1, max: 2 } })),
  'nodes.workers.autoscaling.max': change(worker({ autoscaling: { min: 1, max: 3 } })),
  'talos.version': change({ talos: { version: 'v1.13.9' } }),
  'talos.contract': change({ talos: { contract: 'v1.11' } }),
  'talos.factory': change({ talos: { factory: 'https://factory.example.com' } }),
  'talos.schematic': change({ talos: { schematic: 'a'.repeat(64) } }),
  'talos.extensions': change({ talos: { extensions: ['siderolabs/iscsi-tools'] } }),
  'talos.kernelArgs': change({ talos: { kernelArgs: ['quiet'] } }),
  'talos.patches': change({ talos: { patches: sysctl } }),
  'talos.controlPlanePatches': change({ talos: { controlPlanePatches: sysctl } }),
  'talos.workerPatches': change({ talos: { workerPatches: sysctl } }),
  'talos.diskEncryption': change({ talos: { diskEncryption: true } }),
  'talos.registryMirrors': change({
    talos: { registryMirrors: { 'docker.io': ['https://mirror.example.com'] } },
  }),
  'talos.nameservers': change({ talos: { nameservers: ['203.0.113.53'] } }),
  'talos.timeServers': change({ talos: { timeServers: ['time.example.com'] } }),
  'kubernetes.version': change({ kubernetes: { version: '1.36.3' } }),
  'kubernetes.apiServerExtraArgs': change({
    kubernetes: { apiServerExtraArgs: { 'event-ttl': '2h' } },
  }),
  'kubernetes.controllerManagerExtraArgs': change({
    kubernetes: { controllerManagerExtraArgs: { 'terminated-pod-gc-threshold': '99' } },
  }),
  'kubernetes.schedulerExtraArgs': change({ kubernetes: { schedulerExtraArgs: { v: '3' } } }),
  'kubernetes.kubeletExtraArgs': change({ kubernetes: { kubeletExtraArgs: { v: '3' } } }),
  'kubernetes.certSans': change({ kubernetes: { certSans: ['k8s.example.com'] } }),
  'kubernetes.oidc.issuerUrl': change(oidc({ issuerUrl: 'https://other.example.com' }), oidc({})),
  'kubernetes.oidc.clientId': change(oidc({ clientId: 'other' }), oidc({})),
  'kubernetes.oidc.usernameClaim': change(oidc({ usernameClaim: 'email' }), oidc({})),
  'kubernetes.oidc.groupsClaim': change(oidc({ groupsClaim: 'teams' }), oidc({})),
  'cni.type': change({ cni: { type: 'flannel' } }),
  'cni.values': change({ cni: { values: { debug: { enabled: true } } } }),
  'addons.hcloudCcm.enabled': change({ addons: { hcloudCcm: { enabled: false } } }),
  'addons.hcloudCcm.values': change({ addons: { hcloudCcm: { values: { replicaCount: 2 } } } }),
  'addons.csrApprover.enabled': change({ addons: { csrApprover: { enabled: false } } }),
  'addons.csrApprover.values': change({ addons: { csrApprover: { values: { replicas: 2 } } } }),
  'addons.hcloudCsi.enabled': change({ addons: { hcloudCsi: { enabled: false } } }),
  'addons.hcloudCsi.values': change({
    addons: { hcloudCsi: { values: { controller: { replicaCount: 2 } } } },
  }),
  'addons.custom.type': change(custom({ ...objects, type: 'manifest' }), custom(shop)),
  'addons.custom.name': change(custom({ ...shop, name: 'other' }), custom(shop)),
  'addons.custom.namespace': change(custom({ ...shop, namespace: 'other' }), custom(shop)),
  'addons.custom.podSecurity': change(custom({ ...shop, podSecurity: 'restricted' }), custom(shop)),
  'addons.custom.needs': change(custom({ ...shop, needs: ['hcloud-csi'] }), custom(shop)),
  'addons.custom.repository': change(
    custom({ ...shop, repository: 'oci://registry.example.com/charts' }),
    custom(shop),
  ),
  'addons.custom.chart': change(custom({ ...shop, chart: 'other' }), custom(shop)),
  'addons.custom.version': change(custom({ ...shop, version: '1.1.0' }), custom(shop)),
  'addons.custom.sha256': change(custom({ ...shop, sha256: 'a'.repeat(64) }), custom(shop)),
  'addons.custom.values': change(custom({ ...shop, values: { replicas: 2 } }), custom(shop)),
  'addons.custom.urls.url': change(custom({ ...objects, urls: [] }), custom(objects)),
  'addons.custom.urls.sha256': change(
    custom({ ...objects, urls: [{ ...objects.urls[0], sha256: 'b'.repeat(64) }] }),
    custom(objects),
  ),
  'addons.custom.inline': change(custom({ ...objects, inline: [] }), custom(objects)),
  'state.recipients': change({
    state: { recipients: ['age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7'] },
  }),
  'state.encrypt': change({ state: { encrypt: 'all' } }),
}

const heldByConditions = [
  'test/addons/brought-addons.test.ts',
  'are waited for until their conditions hold',
] as const

/** Keys that say how a run behaves, and what sees it: a test file and the beginning of a title in it. */
const behaviour: Readonly<Record<string, readonly [file: string, title: string]>> = {
  'firewall.runnerAccess': ['test/commands/run-settings.test.ts', 'firewall.runnerAccess: '],
  'addons.custom.conditions.apiVersion': heldByConditions,
  'addons.custom.conditions.condition': heldByConditions,
  'addons.custom.conditions.kind': heldByConditions,
  'addons.custom.conditions.name': heldByConditions,
  'addons.custom.conditions.namespace': heldByConditions,
  'addons.custom.timeoutMinutes': [
    'test/addons/apply-order.test.ts',
    'an addon of the file is waited for as long as it says',
  ],
  'addons.custom.wait': [
    'test/addons/brought-addons.test.ts',
    'has no waits where the cluster has no network addon of ours',
  ],
  'policy.onAddonDrift': [
    'test/commands/addon-drift.test.ts',
    'an approved plan that says nothing of it leaves it, and so does the policy to report',
  ],
  'policy.onDestroyNetwork': [
    'test/commands/destroy-checks.test.ts',
    'lists who else is in its network, and leaves the network to them where the policy says so',
  ],
  'policy.onDestroyVolumes': [
    'test/hetzner/destroy.test.ts',
    'keeps the volumes unless the policy says otherwise',
  ],
  'policy.onDrift': ['test/hetzner/own-resources.test.ts', 'is kept where the policy says so'],
  'policy.onFailedChange': ['test/commands/failed-change.test.ts', 'under the policy to stop'],
  'policy.onNodeConfigDrift': ['test/commands/node-config.test.ts', 'under the policy to report'],
  'policy.unapproved': ['test/actions/approved-merge.test.ts', 'policy.unapproved decides'],
  'policy.unknownVersions': ['test/spec/unknown-versions.test.ts', 'a Kubernetes is refused'],
  'state.alongside': [
    'test/commands/second-cluster.test.ts',
    'two clusters on one branch are had by naming the other',
  ],
  'state.branch': ['test/commands/run-settings.test.ts', 'state.branch: '],
  'state.repository': [
    'test/commands/attacked-state.test.ts',
    'gets nowhere with a copy of the branch in another repository',
  ],
  'state.signer': ['test/commands/rotate.test.ts', 'the state goes over to the new key'],
  'upgrade.conditions.apiVersion': [
    'test/kubernetes/upgrade-gates.test.ts',
    'an object opens its gate when its condition is True',
  ],
  'upgrade.conditions.condition': [
    'test/kubernetes/upgrade-gates.test.ts',
    'an object opens its gate when its condition is True',
  ],
  'upgrade.conditions.kind': [
    'test/kubernetes/upgrade-gates.test.ts',
    'an object opens its gate when its condition is True',
  ],
  'upgrade.conditions.name': [
    'test/kubernetes/upgrade-gates.test.ts',
    'an object opens its gate when its condition is True',
  ],
  'upgrade.conditions.namespace': [
    'test/kubernetes/upgrade-gates.test.ts',
    'an object opens its gate when its condition is True',
  ],
  'upgrade.gateMinutes': [
    'test/commands/reboot-gate.test.ts',
    'what takes a reboot stops one node',
  ],
  'upgrade.maxUnavailable': ['test/commands/run-settings.test.ts', 'upgrade.maxUnavailable: '],
  'upgrade.workloads': ['test/commands/reboot-gate.test.ts', 'what takes a reboot stops one node'],
}

let running: Bench
let empty: Bench
beforeAll(async () => {
  ;[running, empty] = await Promise.all([startBench(), startBench()])
  await applyCluster(running.run(), { file: fileOf(base) })
})
afterAll(async () => {
  await expectTidy(running)
  await Promise.all([running[Symbol.asyncDispose](), empty[Symbol.asyncDispose]()])
})

function fileOf(document: JsonObject): ClusterFile {
  return { path: 'cluster.yaml', text: JSON.stringify(document, null, 2) }
}

/** Mappings are merged, all else takes the place of what was there. */
function laidOver(below: Json | undefined, above: Json): Json {
  if (!isJsonObject(below) || !isJsonObject(above)) return above
  const merged = Object.entries(above).map(([key, each]): [string, Json] => [
    key,
    laidOver(below[key], each),
  ])
  return { ...below, ...Object.fromEntries(merged) }
}

function documentOf({ more, beside = {} }: Walk): JsonObject {
  const document = laidOver(laidOver(base, beside), more)
  return isJsonObject(document) ? document : {}
}

/** What a plan says of what is to be done and what is wrong. */
async function renderedPlan(bench: Bench, document: JsonObject): Promise<string> {
  try {
    const { plan, findings } = await planCluster(bench.run(), {
      file: fileOf(document),
      verb: 'apply',
    })
    const waiting = plan.waiting.map(({ key, fields }) => ({ key, fields }))
    const messages = [...findings, ...plan.findings].map(({ message }) => message)
    return JSON.stringify([plan.digest, waiting, messages])
  } catch (error) {
    if (!(error instanceof FindingsError)) throw error
    return error.findings.map(({ message }) => message).join('; ')
  }
}

it('the table has every key of the schema, and no other', () => {
  expect([...Object.keys(values), ...Object.keys(behaviour)].sort()).toEqual(schemaKeys())
})

describe.each([
  ['a new cluster', () => empty],
  ['a cluster that runs', () => running],
])('for %s', (_, bench) => {
  const known = new Map<string, Promise<string>>()
  const before = (beside: JsonObject) => {
    const key = JSON.stringify(beside)
    const one = known.get(key) ?? renderedPlan(bench(), documentOf({ more: {}, beside }))
    known.set(key, one)
    return one
  }

  it.each(Object.entries(values))('another %s has an effect, or a finding', async (_key, walk) => {
    expect(await renderedPlan(bench(), documentOf(walk))).not.toBe(await before(walk.beside ?? {}))
  })
})

it('what says how a run behaves changes no plan', async () => {
  const upgrade = { upgrade: { gateMinutes: 7, maxUnavailable: 2 } }
  for (const bench of [empty, running]) {
    expect(await renderedPlan(bench, documentOf({ more: upgrade }))).toBe(
      await renderedPlan(bench, documentOf({ more: {} })),
    )
  }
})

it.each(Object.entries(behaviour))('%s is seen by a test of its own', (_key, [file, title]) => {
  const path = join(root, file)
  expect(existsSync(path)).toBe(true)
  expect(readFileSync(path, 'utf8')).toContain(`'${title}`)
})
