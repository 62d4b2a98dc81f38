import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CatalogueAddon } from '../../src/addons/addon.ts'
import { catalogue, enabledAddons } from '../../src/addons/catalogue.ts'
import { chartVersionFor } from '../../src/addons/chart-version.ts'
import { desireAddons } from '../../src/addons/desire.ts'
import { diffAddons } from '../../src/addons/diff.ts'
import { installOrder } from '../../src/addons/install-order.ts'
import { observeAddons } from '../../src/addons/observe.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { textAt } from '../../src/lib/kubernetes-object.ts'
import type { Inventory } from '../../src/plan/inventory.ts'
import { unmintedUid } from '../../src/plan/plan.ts'
import type { ClusterRecord } from '../../src/plan/record.ts'
import { addonsOf } from '../../src/planner/hetzner-talos/addons-of.ts'
import { hetznerTalosSurroundings } from '../../src/planner/hetzner-talos/hetzner-talos-surroundings.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { type AddonName, addonNames } from '../../src/spec/tables/addon-names.ts'
import { sampleFacts, samplePool, sampleSpec } from './sample-spec.ts'

function addon(name: AddonName): CatalogueAddon {
  return catalogue[name]
}

function valuesOf(name: AddonName, spec: ClusterSpec): JsonObject {
  const surroundings = hetznerTalosSurroundings(spec)
  return catalogue[name].values(spec, { ...sampleFacts, surroundings })
}

function withKubernetes(version: string): ClusterSpec {
  return sampleSpec({ kubernetes: { ...sampleSpec().kubernetes, version } })
}

/** What the state branch holds after these records were applied. */
function inventoryAfter(records: readonly ClusterRecord[]): Inventory {
  return {
    clusterName: 'demo',
    uid: sampleFacts.uid,
    nodes: [],
    bootstrapped: true,
    addons: Object.fromEntries(
      records.map(({ name, spec }) => [
        name,
        { version: textAt(spec, 'version') ?? '', digest: textAt(spec, 'digest') ?? '' },
      ]),
    ),
  }
}

const specs = fc
  .record({
    cilium: fc.boolean(),
    ccm: fc.boolean(),
    approver: fc.boolean(),
    csi: fc.boolean(),
    version: fc.constantFrom('1.29.0', '1.31.4', '1.32.0', '1.33.1', '1.35.0', '1.37.0'),
    controlPlanes: fc.constantFrom(1, 3, 5),
  })
  .map(({ cilium, ccm, approver, csi, version, controlPlanes }) => {
    const { cni, addons, kubernetes } = sampleSpec()
    return sampleSpec({
      cni: { ...cni, type: cilium ? 'cilium' : 'none' },
      addons: {
        hcloudCcm: { ...addons.hcloudCcm, enabled: ccm },
        csrApprover: { ...addons.csrApprover, enabled: approver },
        hcloudCsi: { ...addons.hcloudCsi, enabled: csi },
        custom: [],
      },
      kubernetes: { ...kubernetes, version },
      controlPlane: samplePool('control-plane', 'control-plane', controlPlanes),
    })
  })

test('what is planned before a cluster has a uid is what is planned after', () => {
  fc.assert(
    fc.property(specs, fc.stringMatching(/^[0-9a-f]{16}$/), (spec, uid) => {
      expect(desireAddons(spec, { uid }, addonsOf)).toEqual(
        desireAddons(spec, { uid: unmintedUid }, addonsOf),
      )
    }),
  )
})

describe('the version of a chart', () => {
  test.each([
    ['hcloud-ccm', '1.32.0', '1.30.1'],
    ['hcloud-ccm', '1.33.0', '1.35.0'],
    ['hcloud-ccm', '1.29.3', '1.30.1'],
    ['hcloud-ccm', '1.38.0', '1.35.0'],
    ['cilium', '1.31.0', '1.18.12'],
    ['cilium', '1.32.0', '1.19.6'],
    ['cilium', '1.36.0', '1.20.0'],
    ['hcloud-csi', '1.32.0', '2.20.2'],
    ['hcloud-csi', '1.36.1', '2.22.1'],
  ] as const)('of %s for Kubernetes %s is %s', (name, kubernetes, version) => {
    expect(chartVersionFor(addon(name), kubernetes).version).toBe(version)
  })

  test('of the cloud controller manager is never one that crashes since July 2026', () => {
    const versions = addon('hcloud-ccm').versions.map(({ version }) => version)
    const minors = versions.map((version) => version.split('.').map(Number))
    for (const [major = 0, minor = 0, patch = 0] of minors) {
      expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(1_030_001)
    }
  })

  test('has a digest of its own', () => {
    const digests = Object.values(catalogue).flatMap(({ versions }) =>
      versions.map(({ sha256 }) => sha256),
    )
    expect(digests.every((digest) => /^[0-9a-f]{64}$/.test(digest))).toBe(true)
    expect(new Set(digests).size).toBe(digests.length)
  })
})

test('what must run on control planes tolerates the taints that they are given', () => {
  const taints = [
    { key: 'example.com/infra', value: 'yes', effect: 'NoSchedule' },
    { key: 'example.com/reserved', effect: 'NoExecute' },
    { key: 'example.com/rather-not', effect: 'PreferNoSchedule' },
  ] as const
  const spec = sampleSpec({
    controlPlane: samplePool('control-plane', 'control-plane', 3, { taints }),
  })
  for (const name of addonNames) {
    const values = JSON.stringify(valuesOf(name, spec))
    expect(values, name).toContain(
      '{"key":"example.com/reserved","operator":"Exists","effect":"NoExecute"}',
    )
    expect(values, name).not.toContain('rather-not')
    // Without taints nothing is said of them: the addons of other clusters stay as they are.
    expect(JSON.stringify(valuesOf(name, sampleSpec()))).not.toContain('example')
  }
})

describe('a plan of addons', () => {
  test('applied as it is wanted has nothing left to do', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const desired = desireAddons(spec, sampleFacts, addonsOf)
        expect(diffAddons(desired, observeAddons(inventoryAfter(desired)))).toEqual([])
      }),
    )
  })

  test('creates every addon of a new cluster, each after what it needs', () => {
    const changes = diffAddons(desireAddons(sampleSpec(), sampleFacts, addonsOf), [])
    expect(changes.map(({ key, action, risk }) => [key, action, risk])).toEqual([
      ['addon/cilium', 'create', 'additive'],
      ['addon/hcloud-ccm', 'create', 'additive'],
      ['addon/csr-approver', 'create', 'additive'],
      ['addon/hcloud-csi', 'create', 'additive'],
    ])
    expect(changes.at(-1)?.needs).toEqual([
      'etcd/demo',
      'addon/cilium',
      'addon/hcloud-ccm',
      'addon/csr-approver',
    ])
  })

  test('tells a new version from new values', () => {
    const before = observeAddons(
      inventoryAfter(desireAddons(withKubernetes('1.32.0'), sampleFacts, addonsOf)),
    )
    const newer = diffAddons(desireAddons(withKubernetes('1.33.0'), sampleFacts, addonsOf), before)
    expect(newer.map(({ key, reason }) => [key, reason])).toContainEqual([
      'addon/hcloud-csi',
      'another version of Hetzner CSI driver is wanted',
    ])
    const cni = { type: 'cilium', values: { MTU: 1400 } } as const
    const changed = diffAddons(desireAddons(sampleSpec({ cni }), sampleFacts, addonsOf), before)
    expect(changed.map(({ key, reason, risk }) => [key, reason, risk])).toEqual([
      ['addon/cilium', 'the values of Cilium changed', 'live'],
    ])
  })

  test('names the danger of taking the network away', () => {
    const before = observeAddons(inventoryAfter(desireAddons(sampleSpec(), sampleFacts, addonsOf)))
    const none = sampleSpec({ cni: { type: 'none', values: {} } })
    expect(diffAddons(desireAddons(none, sampleFacts, addonsOf), before)).toMatchObject([
      { key: 'addon/cilium', action: 'delete', risk: 'drain' },
    ])
  })
})

describe('the order of an installation', () => {
  const nodes = ['demo-control-plane-1']

  test('never waits between the network, the cloud controller manager and the approver', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const steps = installOrder(spec, { ...sampleFacts, nodes }, addonsOf)
        const firstWait = steps.findIndex(({ type }) => type !== 'apply')
        const before = steps
          .slice(0, firstWait)
          .flatMap((step) =>
            step.type === 'apply' ? step.releases.map((one) => one.addon.name) : [],
          )
        const needed = enabledAddons(spec, addonsOf)
          .map(({ name }) => name)
          .filter((name) => name !== 'hcloud-csi')
        expect(before).toEqual(needed)
      }),
    )
  })

  test('applies every addon once, and storage only behind the gate', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const steps = installOrder(spec, { ...sampleFacts, nodes }, addonsOf)
        const applied = steps.flatMap((step) => (step.type === 'apply' ? step.releases : []))
        expect(applied.map(({ addon: { name } }) => name)).toEqual(
          enabledAddons(spec, addonsOf).map(({ name }) => name),
        )
        const gate = steps.findIndex(({ type }) => type === 'gate')
        const storage = steps.findIndex(
          (step) =>
            step.type === 'apply' && step.releases.some((one) => one.addon.name === 'hcloud-csi'),
        )
        expect(storage === -1 || storage > gate).toBe(true)
      }),
    )
  })

  test('asks at the gate only for what its own addons bring about', () => {
    const none = sampleSpec({ cni: { type: 'none', values: {} } })
    const steps = installOrder(none, { ...sampleFacts, nodes }, addonsOf)
    expect(steps.find(({ type }) => type === 'gate')).toMatchObject({
      requirements: { ready: false, initialized: true, certificates: false },
    })
    expect(steps.some(({ type }) => type === 'wait')).toBe(false)
  })
})

describe('values', () => {
  test('never hold more replicas than there are control planes', () => {
    const single = sampleSpec({ controlPlane: samplePool('control-plane', 'control-plane', 1) })
    expect(valuesOf('cilium', single)).toMatchObject({ operator: { replicas: 1 } })
    expect(valuesOf('csr-approver', single)).toMatchObject({ replicas: 1 })
    expect(valuesOf('hcloud-csi', single)).toMatchObject({
      controller: { replicaCount: 1 },
    })
  })

  test('admit public addresses in certificates only where nodes have them', () => {
    const closed = { publicIpv4: false }
    const closedSpec = sampleSpec({
      controlPlane: samplePool('control-plane', 'control-plane', 3, closed),
      workers: [],
    })
    expect(valuesOf('csr-approver', closedSpec)).toMatchObject({
      providerIpPrefixes: ['10.0.64.0/19'],
      providerRegex: '^demo-[a-z0-9-]+$',
      bypassDnsResolution: true,
    })
    expect(valuesOf('csr-approver', sampleSpec())).toMatchObject({
      providerIpPrefixes: ['0.0.0.0/0'],
    })
  })

  test('route natively over the pods alone where their range lies outside the network', () => {
    const network = { ...sampleSpec().network, podRange: '10.244.0.0/16' }
    expect(valuesOf('cilium', sampleSpec({ network }))).toMatchObject({
      ipv4NativeRoutingCIDR: '10.244.0.0/16',
    })
  })
})
