import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractHelm } from '../../scripts/extract-helm.ts'
import { releaseOf } from '../../src/addons/addon-release.ts'
import { catalogue } from '../../src/addons/catalogue.ts'
import { createChartSource } from '../../src/addons/chart-source.ts'
import { createManifestSource } from '../../src/addons/manifest-source.ts'
import { type AddonRenderer, createAddonRenderer } from '../../src/addons/render-addon.ts'
import { createClock } from '../../src/lib/clock.ts'
import { fieldAt, type KubernetesObject, listAt, textsAt } from '../../src/lib/kubernetes-object.ts'
import type { ObjectSet } from '../../src/lib/object-set.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { addonsOf } from '../../src/planner/hetzner-talos/addons-of.ts'
import { type ChartsFront, serveCharts } from '../../src/sandbox/charts/serve-charts.ts'
import { World } from '../../src/sandbox/world.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { sampleFacts, sampleSpec } from './sample-spec.ts'

const capabilities = { version: 'v1.32.0', apiVersions: ['apps/v1', 'apps/v1/Deployment'] }

let front: ChartsFront
let cache: string

beforeAll(async () => {
  front = await serveCharts(new World())
  cache = await mkdtemp(join(tmpdir(), 'hcloud-talos-charts-'))
})

afterAll(async () => {
  await front.close()
  await rm(cache, { recursive: true, force: true })
})

function createRenderer(): AddonRenderer {
  const environment = { clock: createClock(1000), random: seededRandom(1) }
  const { url: mirror, digests } = front
  const charts = createChartSource({ cacheDirectory: cache, mirror, digests, ...environment })
  const manifests = createManifestSource({ cacheDirectory: cache, ...environment })
  return createAddonRenderer({ charts, manifests, helm: extractHelm, redactor: new Redactor() })
}

/** Each addon of the sample, rendered once for all tests. */
const sample = new Map<string, Promise<ObjectSet>>()

function renderSample(name: string): Promise<ObjectSet> {
  const set = sample.get(name) ?? render(name, sampleSpec())
  sample.set(name, set)
  return set
}

async function render(name: string, spec: ClusterSpec, version = 'v1.32.0'): Promise<ObjectSet> {
  const addon = addonsOf(spec)[name]
  if (!addon) throw new Error(name)
  return createRenderer().render(releaseOf(addon, spec, sampleFacts), { ...capabilities, version })
}

function find(set: ObjectSet, kind: string, name: string): KubernetesObject | undefined {
  return set.objects.find((object) => object.kind === kind && object.metadata.name === name)
}

test('every addon renders with a real helm', async () => {
  const sets = await Promise.all(Object.values(catalogue).map(({ name }) => renderSample(name)))
  expect(sets.map((set) => [set.name, set.objects.length > 3])).toEqual([
    ['cilium', true],
    ['hcloud-ccm', true],
    ['csr-approver', true],
    ['hcloud-csi', true],
  ])
})

test('Cilium reaches the API through KubePrism, with an MTU and without the right to load modules', async () => {
  const set = await renderSample('cilium')
  expect(textsAt(find(set, 'ConfigMap', 'cilium-config'), 'data')).toMatchObject({
    mtu: '1450',
    'routing-mode': 'native',
    'ipv4-native-routing-cidr': '10.0.0.0/16',
    'kube-proxy-replacement': 'true',
  })
  const agent = fieldAt(
    find(set, 'DaemonSet', 'cilium'),
    'spec',
    'template',
    'spec',
    'containers',
    0,
  )
  expect(listAt(agent, 'env')).toContainEqual({
    name: 'KUBERNETES_SERVICE_HOST',
    value: '127.0.0.1',
  })
  expect(listAt(agent, 'env')).toContainEqual({ name: 'KUBERNETES_SERVICE_PORT', value: '7445' })
  expect(listAt(agent, 'securityContext', 'capabilities', 'add')).not.toContain('SYS_MODULE')
})

test('octal modes are read as octal', async () => {
  const set = await renderSample('cilium')
  const volumes = listAt(find(set, 'DaemonSet', 'cilium'), 'spec', 'template', 'spec', 'volumes')
  expect(volumes.map((volume) => fieldAt(volume, 'projected', 'defaultMode'))).toContain(0o400)
})

test('a hook of the chart is kept apart from its objects', async () => {
  const spec = sampleSpec({ kubernetes: { ...sampleSpec().kubernetes, version: '1.31.0' } })
  const { hooks, objects } = await render('cilium', spec, 'v1.31.0')
  expect(hooks.after.map(({ metadata }) => metadata.name)).toEqual(['hubble-generate-certs'])
  expect(objects.some(({ kind }) => kind === 'Job')).toBe(false)
})

test('the cloud controller manager runs on every control plane and knows the range of the pods', async () => {
  const set = await renderSample('hcloud-ccm')
  const pod = fieldAt(
    find(set, 'DaemonSet', 'hcloud-cloud-controller-manager'),
    'spec',
    'template',
    'spec',
  )
  expect(fieldAt(pod, 'hostNetwork')).toBe(true)
  expect(fieldAt(pod, 'nodeSelector')).toEqual({ 'node-role.kubernetes.io/control-plane': '' })
  expect(listAt(pod, 'containers', 0, 'command')).toContain('--cluster-cidr=10.0.128.0/17')
  expect(listAt(pod, 'containers', 0, 'env')).toContainEqual({
    name: 'HCLOUD_TOKEN',
    valueFrom: { secretKeyRef: { name: 'hcloud', key: 'token' } },
  })
})

test('volumes carry the labels of their cluster', async () => {
  const set = await renderSample('hcloud-csi')
  const containers = listAt(
    find(set, 'Deployment', 'hcloud-csi-controller'),
    'spec',
    'template',
    'spec',
    'containers',
  )
  expect(containers.flatMap((container) => listAt(container, 'env'))).toContainEqual({
    name: 'HCLOUD_VOLUME_EXTRA_LABELS',
    value: 'cluster=demo,uid=0123456789abcdef',
  })
})

test('nothing that is null reaches a cluster', async () => {
  const set = await renderSample('hcloud-csi')
  expect(JSON.stringify(set.objects)).not.toContain('null')
})

test('a value that the chart does not have is refused, with its name', async () => {
  const spec = sampleSpec({ cni: { type: 'cilium', values: { kubeProxyReplacment: true } } })
  await expect(render('cilium', spec)).rejects.toMatchObject({
    code: 'helm-failed',
    message: expect.stringContaining('kubeProxyReplacment'),
  })
})

test("a user's values are laid over ours", async () => {
  const spec = sampleSpec({
    cni: { type: 'cilium', values: { MTU: 1400, bpf: { masquerade: false } } },
  })
  const set = await render('cilium', spec)
  expect(textsAt(find(set, 'ConfigMap', 'cilium-config'), 'data')).toMatchObject({
    mtu: '1400',
    'enable-bpf-masquerade': 'false',
    'datapath-mode': 'veth',
  })
})

test('a chart that does not render the same twice is refused, naming what differs', async () => {
  const values = { hubble: { tls: { auto: { method: 'helm' } } } }
  await expect(
    render('cilium', sampleSpec({ cni: { type: 'cilium', values } })),
  ).rejects.toMatchObject({
    code: 'addon-failed',
    message: expect.stringContaining('Secret kube-system/cilium-ca'),
  })
})
