import { expect, test } from 'vitest'
import type { Addon } from '../../src/addons/addon.ts'
import { applyAddons } from '../../src/addons/apply.ts'
import { type AddonsOf, catalogue } from '../../src/addons/catalogue.ts'
import { desireAddons } from '../../src/addons/desire.ts'
import { diffAddons } from '../../src/addons/diff.ts'
import { findAddonDrift } from '../../src/addons/find-drift.ts'
import { observeAddons } from '../../src/addons/observe.ts'
import type { AddonRenderer } from '../../src/addons/render-addon.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import type { Inventory } from '../../src/plan/inventory.ts'
import { addonsOf as ofTalos } from '../../src/planner/hetzner-talos/addons-of.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import type { HostsSpec } from '../../src/spec/hosts/hosts-spec.ts'
import { rackSpec } from '../kubeadm/config/rack.ts'
import { silentProgress } from '../silent-progress.ts'
import { startAddonFixture } from './addon-fixture.ts'
import { namingRenderer, RecordingCluster } from './recording-cluster.ts'
import { sampleFacts } from './sample-spec.ts'

test('each addon stands under its own name, and what it needs is there before it', () => {
  const names = Object.values(catalogue).map(({ name }) => name)
  expect(names).toEqual(Object.keys(catalogue))
  for (const { name, needs } of Object.values(catalogue)) {
    const before: readonly string[] = names.slice(0, names.indexOf(name))
    expect(before, name).toEqual(expect.arrayContaining([...needs]))
  }
})

/** An addon that nobody makes, wanted by some clusters and not by others. */
function weatherAddon(wanted: boolean, values = {}): Addon {
  return {
    name: 'weather',
    title: 'Weather in the cloud',
    chart: 'weather',
    repository: 'https://charts.example.com',
    versions: [
      { version: '1.0.0', kubernetes: { from: '1.30', to: '1.36' }, sha256: '0'.repeat(64) },
    ],
    namespace: 'weather',
    namespaceLabels: { 'example.com/weather': 'yes' },
    wave: 4,
    needs: ['hcloud-csi'],
    brings: undefined,
    usesHetzner: false,
    removalRisk: 'reboot',
    probes: [{ type: 'workloads' }],
    enabled: () => wanted,
    values: () => values,
    userValues: () => ({}),
  }
}

const weather = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'weather',
  name: 'weather',
}

function plan(spec: ClusterSpec, applied: Inventory['addons'], addonsOf: AddonsOf<ClusterSpec>) {
  const addons = addonsOf(spec)
  const inventory = {
    clusterName: spec.clusterName,
    uid: sampleFacts.uid,
    nodes: [],
    bootstrapped: true,
    addons: applied,
  }
  return diffAddons(
    desireAddons(spec, sampleFacts, addonsOf),
    observeAddons(inventory, addons),
    addons,
  )
}

test('an addon that is added to the catalogue is planned, applied, put back and removed', async () => {
  const { client, options } = await startAddonFixture()
  const { spec } = options
  // The sandbox has no chart of it.
  const renderer: AddonRenderer = {
    render: (release, capabilities) =>
      (release.addon.name === 'weather' ? namingRenderer : options.renderer).render(
        release,
        capabilities,
      ),
  }
  const addonsOf = () => ({ ...ofTalos(spec), weather: weatherAddon(true) })
  const created = plan(spec, {}, addonsOf).find(({ key }) => key === 'addon/weather')
  expect(created).toMatchObject({
    action: 'create',
    reason: 'Weather in the cloud is not installed',
    needs: ['etcd/demo', 'addon/hcloud-csi'],
  })

  const { addons: recorded } = await applyAddons({ ...options, renderer, addonsOf })
  expect(Object.keys(recorded)).toEqual([...Object.keys(catalogue), 'weather'])
  expect(await client.get(weather)).toBeDefined()
  expect(plan(spec, recorded, addonsOf)).toEqual([])

  await client.delete(weather)
  const comparison = { cluster: options.cluster, renderer, addonsOf, recorded }
  expect(await findAddonDrift(spec, sampleFacts, comparison)).toMatchObject([
    { addon: 'weather', drifts: [{ type: 'missing' }] },
  ])
  const again = await applyAddons({ ...options, renderer, addonsOf, recorded })
  expect(again).toEqual({ addons: recorded, changes: 1 })

  const warmer = () => ({ ...ofTalos(spec), weather: weatherAddon(true, { warm: true }) })
  expect(plan(spec, recorded, warmer)).toMatchObject([
    {
      key: 'addon/weather',
      action: 'update',
      reason: 'the values of Weather in the cloud changed',
    },
  ])

  const without = () => ({ ...ofTalos(spec), weather: weatherAddon(false) })
  expect(plan(spec, recorded, without)).toMatchObject([
    { key: 'addon/weather', action: 'delete', risk: 'reboot' },
  ])
  const last = await applyAddons({ ...options, renderer, addonsOf: without, recorded })
  expect(last.changes).toBe(1)
  expect(Object.keys(last.addons)).toEqual(Object.keys(catalogue))
  expect(await client.get(weather)).toBeUndefined()
})

test('another mode has addons of its own, with values from its own spec and without a token of Hetzner', async () => {
  const spec = rackSpec()
  const ofHosts: Addon<HostsSpec> = {
    ...weatherAddon(true),
    needs: [],
    enabled: ({ hosts }) => hosts.length > 0,
    values: ({ hosts }) => ({ hosts: hosts.map(({ name }) => name) }),
    userValues: () => ({}),
  }
  const addonsOf = () => ({ weather: ofHosts })
  const [wanted] = desireAddons(spec, sampleFacts, addonsOf)
  const fewer = { ...spec, hosts: spec.hosts.slice(1) }
  expect(desireAddons(fewer, sampleFacts, addonsOf)[0]?.spec).not.toEqual(wanted?.spec)

  const cluster = new RecordingCluster()
  const { addons } = await applyAddons({
    spec,
    addonsOf,
    uid: sampleFacts.uid,
    nodes: spec.hosts.map(({ name }) => name),
    credentials: undefined,
    cluster,
    renderer: namingRenderer,
    recorded: {},
    progress: silentProgress,
    redactor: new Redactor(),
  })
  expect(addons['weather']?.digest).toBe(wanted?.spec['digest'])
  expect(cluster.steps).toEqual(['gate', 'apply namespace-weather', 'apply weather'])
})
