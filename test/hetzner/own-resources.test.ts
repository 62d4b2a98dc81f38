import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffHetzner } from '../../src/hetzner/diff.ts'
import { settleDrift } from '../../src/hetzner/drift.ts'
import { knownResources } from '../../src/hetzner/known-resources.ts'
import { observeHetzner } from '../../src/hetzner/observe.ts'
import { type Identifiable, serverNameOf, sortResources } from '../../src/hetzner/own-resources.ts'
import type { Inventory, InventoryNode } from '../../src/plan/inventory.ts'
import { type RecordKey, recordKey } from '../../src/plan/record.ts'
import { applyCluster, identity, planCluster, startHetznerWorld } from './hetzner-world.ts'

const { clusterName, uid } = identity
const labels = { cluster: clusterName, uid, component: 'server', role: 'worker', pool: 'workers' }

function node(slot: number, more: Partial<InventoryNode> = {}): InventoryNode {
  const name = `demo-workers-${slot}`
  return { name, role: 'worker', pool: 'workers', slot, privateIp: `10.0.64.${slot}`, ...more }
}

function inventory(more: Partial<Inventory>): Inventory {
  return { clusterName, uid, nodes: [], addons: {}, bootstrapped: true, ...more }
}

function server(id: number, name: string, more: Record<string, string> = {}) {
  return { id, name, labels: { ...labels, ...more } }
}

function sort(items: readonly Identifiable[], state: Inventory | undefined) {
  const ownership = { clusterName, uid, known: state && knownResources(state) }
  const { own, foreign } = sortResources('server', items, ownership, serverNameOf(clusterName))
  return {
    own: own.map(({ name, item }) => `${name}: ${item.id}`),
    foreign: foreign.map(({ id }) => id),
  }
}

describe('whose a server is', () => {
  const recorded = inventory({
    nodes: [node(1, { serverId: 11 }), node(2, { serverId: 12 }), node(3, { serverId: 13 })],
    resources: {
      'server/demo-workers-1': { id: 11 },
      'server/demo-workers-2': { id: null },
      'server/demo-workers-3': { id: 13, isReplaced: true },
    },
  })

  test('is told by the recorded id, whatever it is called and labelled', () => {
    const stripped = { id: 11, name: 'anna', labels: {} }
    expect(sort([stripped], recorded)).toEqual({ own: ['demo-workers-1: 11'], foreign: [] })
    const moved = server(11, 'demo-workers-2', { slot: '2' })
    expect(sort([moved], recorded)).toEqual({ own: ['demo-workers-1: 11'], foreign: [] })
  })

  test('is told by uid and name where one was about to be created', () => {
    for (const slot of ['2', '3']) {
      const created = server(20, `demo-workers-${slot}`, { slot })
      expect(sort([created], recorded).own).toEqual([`demo-workers-${slot}: 20`])
      const copy = server(20, 'anna', { slot })
      expect(sort([copy], recorded)).toEqual({ own: [], foreign: [20] })
    }
  })

  test('is not told by labels where the recorded one is gone, was never there, or has no uid', () => {
    expect(sort([server(20, 'demo-workers-1', { slot: '1' })], recorded).foreign).toEqual([20])
    expect(sort([server(20, 'demo-workers-9', { slot: '9' })], recorded).foreign).toEqual([20])
    const { uid: _, ...rest } = labels
    const nameless = { id: 20, name: 'demo-workers-2', labels: { ...rest, slot: '2' } }
    expect(sort([nameless], recorded).foreign).toEqual([20])
  })

  test('never takes one server for two nodes, nor two for one', () => {
    const servers = fc.array(
      fc.record({
        id: fc.integer({ min: 10, max: 20 }),
        name: fc.constantFrom('demo-workers-1', 'demo-workers-2', 'demo-workers-3', 'anna'),
        labels: fc.constantFrom(
          {},
          labels,
          { ...labels, slot: '1' },
          { ...labels, slot: '2' },
          { ...labels, slot: '3' },
        ),
      }),
    )
    fc.assert(
      fc.property(servers, (all) => {
        const items = [...new Map(all.map((one) => [one.id, one])).values()]
        const ownership = { clusterName, uid, known: knownResources(recorded) }
        const found = sortResources('server', items, ownership, serverNameOf(clusterName))
        const names = found.own.map(({ name }) => name)
        const ids = [...found.own.map(({ item }) => item.id), ...found.foreign.map(({ id }) => id)]
        expect(new Set(names).size).toBe(names.length)
        expect(ids.sort()).toEqual(items.map(({ id }) => id).sort())
        for (const { name, item, recorded: isRecorded } of found.own) {
          expect(isRecorded || item.name === name).toBe(true)
        }
      }),
    )
  })
})

describe('a state that was written before ids were recorded', () => {
  test('still knows one of each kind by its uid, also where it was renamed', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const { hetzner } = world
    const { context } = await planCluster(client)
    const nodes = [...hetzner.servers.values()].map(
      ({ id, name, labels: { role, pool = '', slot } }): InventoryNode => ({
        name,
        role: role === 'worker' ? 'worker' : 'control-plane',
        pool,
        slot: Number(slot),
        privateIp: '10.0.64.9',
        serverId: id,
      }),
    )
    const known = knownResources(inventory({ nodes }))
    for (const kind of [
      hetzner.servers,
      hetzner.networks,
      hetzner.firewalls,
      hetzner.placementGroups,
      hetzner.loadBalancers,
      hetzner.sshKeys,
    ]) {
      for (const one of kind.values()) one.name = `renamed-${one.id}`
    }
    const live = await observeHetzner(client, { ...identity, known })
    const ids = [...context.ids].filter(([key]) => !key.startsWith('image/'))
    expect(new Map([...live.ids].sort())).toEqual(new Map(ids.sort()))
    expect(live.foreign).toEqual([])
  })
})

describe('what was changed by hand', () => {
  const edits = {
    'server/demo-workers-1': { name: 'anna', placementGroup: null, serverType: 'cx43' },
    'firewall/demo': { name: 'wall', rules: [1] },
    'load-balancer/demo': { name: 'demo', algorithm: 'least_connections' },
  }

  async function settled(policy: 'restore' | 'keep') {
    await using sandbox = await startHetznerWorld()
    await applyCluster(sandbox.client)
    const { desired, live } = await planCluster(sandbox.client)
    const edited = live.records.map((record) => ({
      ...record,
      spec: {
        ...record.spec,
        ...Object.entries(edits).find(([key]) => key === recordKey(record))?.[1],
      },
    }))
    const applied = new Map(
      desired.map(({ kind, name, spec: { image: _, ...spec } }): [RecordKey, typeof spec] => [
        `${kind}/${name}`,
        spec,
      ]),
    )
    const found = settleDrift(desired, edited, { applied, policy })
    const changes = diffHetzner(found.desired, found.live, { byHand: found.byHand })
    return {
      changes: changes
        .filter(({ after }) => after?.kind !== 'image')
        .map(({ key, fields }) => `${key}: ${fields.map(({ path }) => path).join(' ')}`),
      kept: found.kept.map(({ kind, field }) => `${kind} ${field}`),
    }
  }

  test('is put back in place, but for what only another server would put back', async () => {
    expect(await settled('restore')).toEqual({
      changes: [
        'firewall/demo: name rules',
        'load-balancer/demo: algorithm name',
        'server/demo-workers-1: name placementGroup',
      ],
      kept: ['server serverType'],
    })
  })

  test('is kept where the policy says so, but for what the cluster needs', async () => {
    expect(await settled('keep')).toEqual({
      changes: ['firewall/demo: rules', 'load-balancer/demo: name'],
      kept: [
        'firewall name',
        'load-balancer algorithm',
        'server name',
        'server placementGroup',
        'server serverType',
      ],
    })
  })
})
