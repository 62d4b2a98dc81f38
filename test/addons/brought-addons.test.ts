import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { releaseOf } from '../../src/addons/addon-release.ts'
import { applyAddons } from '../../src/addons/apply.ts'
import { enabledAddons } from '../../src/addons/catalogue.ts'
import { compareInstalled } from '../../src/addons/compare-installed.ts'
import { desireAddons } from '../../src/addons/desire.ts'
import { diffAddons } from '../../src/addons/diff.ts'
import { findAddonDrift } from '../../src/addons/find-drift.ts'
import { installOrder } from '../../src/addons/install-order.ts'
import { observeAddons } from '../../src/addons/observe.ts'
import { refuseConflicts } from '../../src/addons/refuse-conflicts.ts'
import { removalOrder } from '../../src/addons/removal-order.ts'
import type { AddonRenderer } from '../../src/addons/render-addon.ts'
import { recordOf, startedRecord } from '../../src/addons/render-releases.ts'
import type { ObjectRef } from '../../src/lib/kubernetes-object.ts'
import type { SetDrift } from '../../src/lib/object-set.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import type { Inventory } from '../../src/plan/inventory.ts'
import { addonsOf } from '../../src/planner/hetzner-talos/addons-of.ts'
import type { ClusterSpec, CustomAddon } from '../../src/spec/cluster-spec.ts'
import { silentProgress } from '../silent-progress.ts'
import { startAddonFixture } from './addon-fixture.ts'
import { customChart, customManifests, greetingCrd, withCustom } from './custom-addons.ts'
import { namingRenderer, RecordingCluster } from './recording-cluster.ts'
import { sampleFacts, sampleSpec } from './sample-spec.ts'

const deployment = (name: string): ObjectRef => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  name,
})
const settings = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' }

function plan(spec: ClusterSpec, addons: Inventory['addons']) {
  const { uid } = sampleFacts
  const inventory = { clusterName: spec.clusterName, uid, nodes: [], bootstrapped: true, addons }
  return diffAddons(desireAddons(spec, sampleFacts, addonsOf), observeAddons(inventory))
}

function shopRelease(custom: CustomAddon) {
  const spec = withCustom([custom])
  const shop = enabledAddons(spec, addonsOf).find(({ name }) => name === 'shop')
  if (!shop) throw new Error('the file brings it')
  return releaseOf(shop, spec, sampleFacts)
}

describe('charts and manifests of a user', () => {
  test('are planned, applied, found as they should be, and put back', async () => {
    const { client, world, options } = await startAddonFixture()
    const spec = withCustom(
      [
        customChart({ podSecurity: 'restricted' }),
        customManifests({ podSecurity: 'restricted', needs: ['shop'] }),
      ],
      options.spec,
    )
    expect(plan(spec, {}).filter(({ key }) => /shop|settings/.test(key))).toMatchObject([
      { key: 'addon/shop', action: 'create', risk: 'additive', needs: ['etcd/demo'] },
      { key: 'addon/settings', action: 'create', needs: ['etcd/demo', 'addon/shop'] },
    ])

    const { addons: recorded } = await applyAddons({ ...options, spec })
    expect(await client.get(deployment('shop'))).toMatchObject({ status: { availableReplicas: 1 } })
    expect(await client.get(settings)).toMatchObject({ data: { open: 'yes' } })
    const namespace = { apiVersion: 'v1', kind: 'Namespace', name: 'shop' }
    expect(await client.get(namespace)).toMatchObject({
      metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    })
    expect(plan(spec, recorded)).toEqual([])
    expect(await applyAddons({ ...options, spec, recorded })).toEqual({
      addons: recorded,
      changes: 0,
    })

    await client.patch(settings, { data: { open: 'no' } })
    const comparison = { ...options, recorded }
    expect(await findAddonDrift(spec, sampleFacts, comparison)).toMatchObject([
      { addon: 'settings', drifts: [{ type: 'changed', paths: ['data.open'] }] },
    ])
    expect(await applyAddons({ ...options, spec, recorded })).toMatchObject({ changes: 1 })
    expect(await client.get(settings)).toMatchObject({ data: { open: 'yes' } })
    expect(world.contractErrors).toEqual([])
  })

  test('that are no longer in the file go, and their namespace stays', async () => {
    const { client, options } = await startAddonFixture()
    const spec = withCustom([customChart(), customManifests({ needs: ['shop'] })], options.spec)
    const { addons: recorded } = await applyAddons({ ...options, spec })

    const without = withCustom([], options.spec)
    const going = plan(without, recorded).map(
      ({ key, action, reason }) => `${action} ${key}: ${reason}`,
    )
    expect(going.sort()).toEqual([
      'delete addon/settings: settings is not wanted any more',
      'delete addon/shop: shop is not wanted any more',
    ])
    const { addons } = await applyAddons({ ...options, spec: without, recorded })
    expect(Object.keys(addons)).toEqual(['cilium', 'hcloud-ccm', 'csr-approver', 'hcloud-csi'])
    expect(await client.get(deployment('shop'))).toBeUndefined()
    expect(await client.get(settings)).toBeUndefined()
    expect(await client.get({ apiVersion: 'v1', kind: 'Namespace', name: 'shop' })).toBeDefined()
    expect(plan(without, addons)).toEqual([])
  })

  test('that never became healthy are known before they are applied: created still, or removed', async () => {
    const { client, options } = await startAddonFixture()
    const spec = withCustom([customChart()], options.spec)
    let known: Inventory['addons'] = {}
    const failing = {
      ...options,
      spec,
      cluster: {
        ...options.cluster,
        applySet: (...[set, onStep]: Parameters<typeof options.cluster.applySet>) => {
          expect(Object.keys(known), 'written down before').toContain('shop')
          return options.cluster.applySet(set, onStep)
        },
        waitForSet: async ({ name }: { readonly name: string }) => {
          if (name === 'shop') throw new Error('it never becomes healthy')
        },
      },
      onStart: async (started: Inventory['addons']) => {
        known = started
      },
    }
    await expect(applyAddons(failing)).rejects.toThrow('it never becomes healthy')
    expect(await client.get(deployment('shop'))).toBeDefined()
    expect(plan(spec, known).find(({ key }) => key === 'addon/shop')).toMatchObject({
      action: 'create',
      risk: 'additive',
    })
    expect(known['shop']?.archive?.sha256, 'the same archive from then on').toBeDefined()

    const without = withCustom([], options.spec)
    expect(plan(without, known).find(({ key }) => key === 'addon/shop')).toMatchObject({
      action: 'delete',
      risk: 'drain',
    })
    const { addons } = await applyAddons({ ...options, spec: without, recorded: known })
    expect(Object.keys(addons)).not.toContain('shop')
    expect(await client.get(deployment('shop'))).toBeUndefined()
  })

  test('that bring the namespace which others are in too give it what all of them want', async () => {
    const { client, options } = await startAddonFixture()
    const bringing = (label: string) =>
      `apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {${label}: "yes"}}\n`
    const custom = [
      customManifests({ name: 'one', inline: [bringing('one')], podSecurity: 'restricted' }),
      customManifests({ name: 'two', inline: [bringing('two')], podSecurity: 'restricted' }),
      customManifests({ needs: ['one'], podSecurity: 'restricted' }),
    ]
    const spec = withCustom(custom, options.spec)
    const { addons: recorded } = await applyAddons({ ...options, spec })
    expect(await client.get({ apiVersion: 'v1', kind: 'Namespace', name: 'shop' })).toMatchObject({
      metadata: {
        labels: { one: 'yes', two: 'yes', 'pod-security.kubernetes.io/enforce': 'restricted' },
      },
    })
    expect(await findAddonDrift(spec, sampleFacts, { ...options, recorded })).toEqual([])
    expect(await applyAddons({ ...options, spec, recorded })).toMatchObject({ changes: 0 })
  })

  test('are told by what changed of them', () => {
    const of = (addon: CustomAddon) => withCustom([addon])
    const applied = (spec: ClusterSpec) =>
      Object.fromEntries(
        desireAddons(spec, sampleFacts, addonsOf).map(({ name, spec: { version, digest } }) => [
          name,
          { version: String(version), digest: String(digest), needs: [] },
        ]),
      )
    const reason = (before: CustomAddon, after: CustomAddon) =>
      plan(of(after), applied(of(before))).map((change) => change.reason)
    expect(reason(customChart(), customChart({ version: '1.1.0' }))).toEqual([
      'another version of shop is wanted',
    ])
    expect(reason(customChart(), customChart({ values: { replicas: 2 } }))).toEqual([
      'the values of shop changed',
    ])
    const other = customManifests({ inline: [greetingCrd] })
    expect(reason(customManifests(), other)).toEqual(['the manifests of settings changed'])
    // How long it may take, and what it waits for, change no object.
    expect(reason(customChart(), customChart({ timeoutMinutes: 20, wait: false }))).toEqual([])
  })

  test('are rendered with the kinds that other addons bring, in the same run', async () => {
    const { client, options } = await startAddonFixture()
    const custom = [
      customChart(),
      customManifests({ name: 'greetings', namespace: 'default', inline: [greetingCrd] }),
    ]
    const spec = withCustom(custom, options.spec)
    const { addons: recorded } = await applyAddons({ ...options, spec })
    const greeting = { ...deployment('shop'), apiVersion: 'example.com/v1', kind: 'Greeting' }
    expect(await client.get(greeting)).toMatchObject({ spec: { message: 'hello' } })
    expect(await findAddonDrift(spec, sampleFacts, { ...options, recorded })).toEqual([])
    expect(await applyAddons({ ...options, spec, recorded })).toMatchObject({ changes: 0 })
  })

  test('are waited for until their conditions hold', async () => {
    const { client, options } = await startAddonFixture()
    const greeting = {
      apiVersion: 'example.com/v1',
      kind: 'Greeting',
      namespace: 'shop',
      name: 'shop',
    }
    const spec = withCustom(
      [
        customManifests({ name: 'greetings', inline: [greetingCrd] }),
        customChart({ needs: ['greetings'], conditions: [{ ...greeting, condition: 'Heard' }] }),
        customManifests({ needs: ['shop'] }),
      ],
      options.spec,
    )
    let isHeard = false
    const cluster = {
      ...options.cluster,
      waitForConditions: async (
        ...[of, objects, wait]: Parameters<typeof options.cluster.waitForConditions>
      ) => {
        expect(await client.get(settings), 'what needs it has not started').toBeUndefined()
        const waiting = options.cluster.waitForConditions(of, objects, {
          ...wait,
          onPending: () => {
            isHeard = true
            const status = {
              conditions: [{ type: 'Heard', status: 'True', reason: 'Loud', message: '' }],
            }
            void client.patch(greeting, { status })
          },
        })
        await waiting
      },
    }
    await applyAddons({ ...options, cluster, spec })
    expect(isHeard).toBe(true)
    expect(await client.get(settings)).toBeDefined()
  })
})

describe('what would be wrong is found before anything is applied', () => {
  const storageClass = (name: string) => `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: ${name}
  annotations:
    storageclass.kubernetes.io/is-default-class: "true"
provisioner: example.com/none
`

  test.each([
    [
      'a second default storage class',
      customManifests({ inline: [storageClass('fast')] }),
      'two addons make a default StorageClass: hcloud-volumes is one by hcloud-csi, fast by settings',
    ],
    [
      'an object that another addon has',
      customManifests({
        inline: [
          'apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: cilium, namespace: kube-system}\n',
        ],
      }),
      'DaemonSet kube-system/cilium is an object of both cilium and settings',
    ],
    ['values that the chart does not know', customChart({ values: { replica: 1 } }), 'replica'],
    [
      'a version that the repository does not have',
      customChart({ version: '9.9.9' }),
      'has no chart example-app 9.9.9',
    ],
  ])('%s', async (_, addon, message) => {
    const { client, options } = await startAddonFixture()
    const applied = applyAddons({ ...options, spec: withCustom([addon], options.spec) })
    await expect(applied).rejects.toThrow(message)
    expect(await client.list({ apiVersion: 'apps/v1', kind: 'DaemonSet' })).toEqual([])
  })
})

test('objects of one name in two namespaces are no conflict, whatever their kind is called', () => {
  const cluster = (namespace: string) => ({
    name: namespace,
    namespace,
    objects: [
      { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', metadata: { name: 'database' } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } },
    ],
    hooks: { before: [], after: [] },
  })
  expect(() => refuseConflicts([cluster('shop'), cluster('till')])).not.toThrow()
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }
  const roles = ['shop', 'till'].map((namespace) => ({
    ...cluster(namespace),
    objects: [{ ...role, metadata: { name: 'reader' } }],
  }))
  expect(() => refuseConflicts(roles)).toThrow('an object of both shop and till')
  const issuer = {
    apiVersion: 'cert-manager.io/v1',
    kind: 'ClusterIssuer',
    metadata: { name: 'a' },
  }
  const names = { group: 'cert-manager.io', scope: 'Cluster', names: { kind: 'ClusterIssuer' } }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'clusterissuers.cert-manager.io' },
    spec: names,
  }
  const issuers = ['shop', 'till'].map((namespace) => ({
    ...cluster(namespace),
    objects: [issuer],
  }))
  const kinds = { ...cluster('kinds'), objects: [definition] }
  expect(() => refuseConflicts([kinds, ...issuers])).toThrow('an object of both shop and till')
})

describe('an update that did not end', () => {
  const before = customChart()
  const after = customChart({ version: '1.1.0' })
  const shop = (changes: ReturnType<typeof plan>) =>
    changes.filter(({ key }) => key === 'addon/shop')

  /** What the state knows of an apply that ends before the addon is healthy. */
  async function cutOff(recorded: Inventory['addons']): Promise<Inventory['addons']> {
    let known = recorded
    const cluster = new RecordingCluster()
    cluster.waitForSet = async () => {
      throw new Error('cut off')
    }
    const spec = withCustom([after])
    await expect(
      applyAddons({
        ...applied(spec, cluster),
        recorded,
        onStart: async (now) => {
          known = now
        },
      }),
    ).rejects.toThrow('cut off')
    return known
  }

  function applied(spec: ClusterSpec, cluster = new RecordingCluster()) {
    return {
      spec,
      addonsOf,
      uid: sampleFacts.uid,
      nodes: [],
      credentials: { token: 'hetzner-token-that-nobody-may-see', network: 'demo' },
      cluster,
      renderer: namingRenderer,
      recorded: {},
      progress: silentProgress,
      redactor: new Redactor(),
    }
  }

  test('goes on as it was approved, and is an update where the file goes back', async () => {
    const { addons: recorded } = await applyAddons(applied(withCustom([before])))
    const approved = shop(plan(withCustom([after]), recorded))
    const known = await cutOff(recorded)
    expect(shop(plan(withCustom([after]), known))).toMatchObject(
      approved.map(({ action, fields, risk }) => ({ action, fields, risk })),
    )
    expect(shop(plan(withCustom([before]), known))).toMatchObject([
      { action: 'update', reason: expect.stringContaining('did not end, and is taken back') },
    ])
    const { addons } = await applyAddons({ ...applied(withCustom([before])), recorded: known })
    expect(addons['shop']).toEqual(recorded['shop'])
    expect(shop(plan(withCustom([before]), addons))).toEqual([])
  })

  test('leaves both archives pinned', () => {
    const set = (sha256: string) => ({
      name: 'shop',
      namespace: 'shop',
      objects: [],
      hooks: { before: [], after: [] },
      leftOut: [],
      sha256,
    })
    const known = startedRecord(
      shopRelease(after),
      set('new'),
      recordOf(shopRelease(before), set('old')),
    )
    expect([known.archive?.sha256, known.begun?.archive?.sha256]).toEqual(['old', 'new'])
    expect([known.version, known.digest]).toEqual(['1.0.0', shopRelease(before).digest])
  })
})

describe('what an apply would do', () => {
  const spec = (version: string, onAddonDrift: 'heal' | 'report') => {
    const of = withCustom([customChart({ version })])
    return { ...of, policy: { ...of.policy, onAddonDrift } }
  }
  const hook = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', namespace: 'shop' },
  }
  const renderer: AddonRenderer = {
    render: async (release, capabilities) => ({
      ...(await namingRenderer.render(release, capabilities)),
      hooks: { before: release.addon.name === 'shop' ? [hook] : [], after: [] },
    }),
  }

  async function compared(version: string, policy: 'heal' | 'report', drift: readonly SetDrift[]) {
    const cluster = new RecordingCluster()
    cluster.drift = drift
    const recorded = {
      shop: recordOf(shopRelease(customChart()), undefined),
      lost: { version: 'unknown', digest: 'unknown', needs: [] },
    }
    const found = await compareInstalled(spec(version, policy), sampleFacts, {
      addonsOf,
      cluster,
      renderer,
      recorded,
      chosen: (name) => name in recorded,
    })
    return Object.fromEntries(found.map((one) => [one.name, one]))
  }

  const scaled: SetDrift = { ref: deployment('shop'), type: 'changed', paths: ['spec.replicas'] }

  test('is nothing with what the policy leaves, and everything with what is healed', async () => {
    expect((await compared('1.0.0', 'report', [scaled]))['shop']).toMatchObject({
      isDue: false,
      isLeft: true,
    })
    expect((await compared('1.0.0', 'heal', [scaled]))['shop']).toMatchObject({ isLeft: false })
    // Whatever changes of it anyway puts the rest back as well.
    expect((await compared('1.1.0', 'report', [scaled]))['shop']).toMatchObject({
      isDue: true,
      isLeft: false,
    })
  })

  test('is seen without a different object too: another version, and the hooks that it runs', async () => {
    const { shop, lost } = await compared('1.1.0', 'heal', [])
    expect(shop).toMatchObject({ installed: '1.0.0', wanted: '1.1.0', isDue: true })
    expect(shop?.hooks.map(({ name }) => name)).toEqual(['migrate'])
    expect(lost).toMatchObject({ installed: undefined, wanted: undefined, isDue: true })
    const settled = (await compared('1.0.0', 'heal', []))['shop']
    expect([settled?.isDue, settled?.hooks]).toEqual([false, []])
  })
})

describe('a chart whose SHA-256 the file does not name', () => {
  /** The archive that the repository has today. */
  function renderer(archive: string): AddonRenderer {
    const sha256 = createHash('sha256').update(archive).digest('hex')
    return {
      async render(release, capabilities) {
        const { content } = release
        if (content.type === 'chart' && content.chart === 'example-app') {
          if (content.sha256 !== undefined && content.sha256 !== sha256)
            throw new Error('not the one')
          return { ...(await namingRenderer.render(release, capabilities)), sha256 }
        }
        return namingRenderer.render(release, capabilities)
      },
    }
  }
  const apply = async (
    addon: CustomAddon,
    archive: string,
    recorded: Inventory['addons'] = {},
  ): Promise<Inventory['addons']> => {
    const { addons } = await applyAddons({
      spec: withCustom([addon]),
      addonsOf,
      uid: sampleFacts.uid,
      nodes: [],
      credentials: { token: 'hetzner-token-that-nobody-may-see', network: 'demo' },
      cluster: new RecordingCluster(),
      renderer: renderer(archive),
      recorded,
      progress: silentProgress,
      redactor: new Redactor(),
    })
    return addons
  }

  test('must be the one of the first time, until the version or the repository changes', async () => {
    const recorded = await apply(customChart(), 'as it was')
    await expect(apply(customChart(), 'as it was', recorded)).resolves.toEqual(recorded)
    await expect(apply(customChart(), 'replaced', recorded)).rejects.toThrow('not the one')
    await expect(
      apply(customChart({ values: { replicas: 2 } }), 'replaced', recorded),
    ).rejects.toThrow('not the one')
    await expect(apply(customChart({ version: '1.1.0' }), 'newer', recorded)).resolves.toBeDefined()
    const moved = customChart({ repository: 'https://elsewhere.example.com' })
    await expect(apply(moved, 'another', recorded)).resolves.toBeDefined()
  })

  test('is another one where the file says so', async () => {
    const recorded = await apply(customChart(), 'as it was')
    const sha256 = createHash('sha256').update('replaced').digest('hex')
    const again = await apply(customChart({ sha256 }), 'replaced', recorded)
    expect(again['shop']?.archive?.sha256).toBe(sha256)
  })
})

/** Addons in any order, each of which needs some of those with a smaller number. */
const anyCustom = fc
  .array(fc.tuple(fc.nat(), fc.array(fc.nat({ max: 9 }), { maxLength: 3 })), { maxLength: 8 })
  .map((drawn) =>
    drawn
      .map(([order, needs], index) => ({
        order,
        addon: customManifests({
          name: `a${index}`,
          needs: [...new Set(needs.filter((need) => need < index).map((need) => `a${need}`))],
        }),
      }))
      .sort((a, b) => a.order - b.order)
      .map(({ addon }) => addon),
  )

describe('the order of addons', () => {
  test('is such that each is started when what it needs is healthy', () => {
    fc.assert(
      fc.property(anyCustom, (custom) => {
        const events = installOrder(
          withCustom(custom),
          { ...sampleFacts, nodes: [] },
          addonsOf,
        ).flatMap((step) =>
          step.type === 'gate'
            ? []
            : step.releases.map(({ addon }) => `${step.type} ${addon.name}`),
        )
        for (const { name, needs } of custom) {
          for (const needed of needs)
            expect(events.indexOf(`wait ${needed}`)).toBeLessThan(events.indexOf(`apply ${name}`))
        }
        const names = [...Object.keys(sampleNames), ...custom.map(({ name }) => name)]
        for (const name of names) expect(events).toContain(`wait ${name}`)
        expect(events).toHaveLength(2 * names.length)
      }),
    )
  })

  test('of a removal is the other way round', () => {
    fc.assert(
      fc.property(anyCustom, (custom) => {
        const recorded = Object.fromEntries(
          custom.map(({ name, needs }) => [name, { version: '', digest: '', needs }]),
        )
        const order = removalOrder({ ...sampleNames, ...recorded }, Object.keys(sampleNames))
        for (const { name, needs } of custom)
          for (const needed of needs)
            expect(order.indexOf(name)).toBeLessThan(order.indexOf(needed))
        expect(order.slice(custom.length)).toEqual(Object.keys(sampleNames).reverse())
      }),
    )
  })

  test('of a removal leaves out what a newer version has installed', () => {
    const recorded = { ...sampleNames, unheard: { version: '1', digest: '' } }
    expect(removalOrder(recorded, Object.keys(sampleNames))).not.toContain('unheard')
  })

  test('has no waits where the cluster has no network addon of ours, unless the file wants them', () => {
    const spec = withCustom(
      [
        customChart({ name: 'network', wait: true }),
        customChart({ name: 'shop', needs: ['network'] }),
      ],
      sampleSpec({ cni: { type: 'none', values: {} } }),
    )
    const steps = installOrder(spec, { ...sampleFacts, nodes: [] }, addonsOf)
    const waits = steps.flatMap((step) => (step.type === 'wait' ? step.releases : []))
    expect(waits.map(({ addon }) => addon.name)).toEqual(['network'])
  })
})

const sampleNames: Inventory['addons'] = Object.fromEntries(
  ['cilium', 'hcloud-ccm', 'csr-approver', 'hcloud-csi'].map((name) => [
    name,
    { version: '1', digest: '' },
  ]),
)
