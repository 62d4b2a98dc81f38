import { describe, expect, test } from 'vitest'
import { hetznerKinds } from '../../src/hetzner/kinds/hetzner-kinds.ts'
import { kubeadmKinds } from '../../src/kubeadm/kinds/kubeadm-kinds.ts'
import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import type { Inventory } from '../../src/plan/inventory.ts'
import { kindTraits, recordKinds } from '../../src/plan/record.ts'
import { desireTalos } from '../../src/talos/desire.ts'
import { diffTalos, isUpgrade } from '../../src/talos/diff.ts'
import { diffKubernetes } from '../../src/talos/diff-kubernetes.ts'
import type { AppliedKind, VersionedKind } from '../../src/talos/kinds/talos-kind.ts'
import {
  type TalosKindTable,
  talosKinds,
  talosKindsOf,
  upgradedKindsOf,
} from '../../src/talos/kinds/talos-kinds.ts'
import { talosLiveRecords } from '../../src/talos/live-records.ts'
import { upgradeImages } from '../../src/talos/upgrade-images.ts'
import { clusterSpec } from '../plan/specs.ts'

const spec = clusterSpec()
const nodes = allocateNodes(spec, undefined)

/** What the state knows once each node has its config and etcd was bootstrapped. */
const inventory: Inventory = {
  clusterName: spec.clusterName,
  uid: '0123456789abcdef',
  bootstrapped: true,
  addons: {},
  nodes: nodes.map(({ name, role, slot, pool, privateIp }, index) => ({
    name,
    role,
    slot,
    pool,
    privateIp,
    serverId: index + 1,
    configDigest: 'of-an-earlier-config',
    talosVersion: spec.talos.version,
    kubernetesVersion: '1.30.0',
  })),
}

function live(kinds: TalosKindTable) {
  const serverIds = new Map(inventory.nodes.map(({ name, serverId = 0 }) => [name, serverId]))
  const wanted = new Set(nodes.map(({ name }) => name))
  return talosLiveRecords({ secrets: {}, inventory, serverIds, wanted }, kinds)
}

describe('the tables of kinds', () => {
  test('have each kind of Talos under its own name, in the order of a plan', () => {
    const names = Object.keys(talosKinds)
    expect(Object.values(talosKinds).map(({ name }) => name)).toEqual(names)
    expect(recordKinds.filter((kind) => kind in talosKinds)).toEqual(names)
  })

  test('give each phase of an upgrade its kinds', () => {
    expect(upgradedKindsOf('talos')).toEqual(['node'])
    expect(upgradedKindsOf('kubernetes')).toEqual(['kubernetes', 'kubelet'])
  })

  test('are together what a plan knows, with addons apart, which are one', () => {
    const addons = recordKinds.filter((kind) => kindTraits[kind].part === 'addon')
    const named = [
      ...Object.keys(hetznerKinds),
      ...Object.keys(talosKinds),
      ...Object.keys(kubeadmKinds),
      ...addons,
    ]
    // Nodes, etcd, Kubernetes and kubelets are of either mode, each with a kind of its own for them.
    expect(new Set(named)).toEqual(new Set(recordKinds))
  })
})

/** A kind that Talos does not have, under a name that plans know: in place of Hetzner's volumes. */
function clockKind(zone: string): AppliedKind {
  return {
    name: 'volume',
    comparedBy: 'apply',
    desire: ({ nodes: all }) =>
      all.map(({ name }) => ({
        kind: 'volume',
        name,
        spec: { zone, edition: zone.length },
        needs: [`node/${name}`],
      })),
    live: ({ nodes: known }) =>
      known.map(({ name }) => ({
        kind: 'volume',
        name,
        spec: { zone: 'UTC', edition: 3 },
        needs: [],
      })),
    rules: ({ running }) => ({
      create: () => ({ risk: 'additive', reason: 'it has no clock' }),
      update: () => ({ action: 'update', risk: 'live', reason: running ? 'set on' : 'set' }),
      delete: () => ({ risk: 'live', reason: 'nobody asks for the time' }),
    }),
    versionFields: new Set(['edition']),
    phase: 'nodes',
    upgrade: {
      phase: 'talos',
      images: ({ node, planned }) =>
        planned.has(`volume/${node.name}`)
          ? [{ reference: 'clock.example.com', store: 'system' }]
          : [],
    },
  }
}

test('a kind that is added to the table is read, planned, changed in its phase and upgraded', () => {
  const kinds = { ...talosKinds, volume: clockKind('UTC') }
  const names = nodes.map(({ name }) => `volume/${name}`)
  const desired = desireTalos(spec, nodes, inventory, 'running', kinds)
  const own = (of: (typeof desired)[number]) => of.kind === 'volume'
  expect(desired.filter(own)).toHaveLength(nodes.length)
  expect(
    diffTalos(desired, live(kinds), [], kinds).filter(({ key }) => names.includes(key)),
  ).toEqual([])
  expect(diffTalos(desired, live(talosKinds), [], kinds).map(({ key }) => key)).toEqual(
    expect.arrayContaining(names),
  )

  const elsewhere = { ...talosKinds, volume: clockKind('Europe/Helsinki') }
  const moved = desireTalos(spec, nodes, inventory, 'running', elsewhere)
  const [change, ...others] = diffTalos(moved, live(elsewhere), [], elsewhere).filter(({ key }) =>
    names.includes(key),
  )
  expect(others).toHaveLength(nodes.length - 1)
  expect(change).toMatchObject({ action: 'update', risk: 'live', reason: 'set on' })
  expect(change && isUpgrade(change, elsewhere)).toBe(true)
  expect(change && isUpgrade(change)).toBe(false)
  expect(talosKindsOf('nodes', elsewhere)).toEqual(['node', 'volume'])
  const pulled = nodes.flatMap((node) =>
    upgradeImages(spec, node, change ? [change] : [], elsewhere),
  )
  expect(pulled).toEqual([{ reference: 'clock.example.com', store: 'system' }])
})

test('a version that is added to the table is upgraded in its turn', () => {
  const turned: VersionedKind = {
    name: 'volume',
    comparedBy: 'upgrade',
    running: ({ from }) => [{ name: 'dns', version: from, turn: 'control planes' }],
    reason: (name, { controlPlanes }) => `${name} follows on ${controlPlanes}`,
    phase: 'none',
    upgrade: undefined,
  }
  const changes = diffKubernetes(spec, inventory, inventory.nodes, {
    ...talosKinds,
    volume: turned,
  })
  const keys: string[] = changes.map(({ key }) => key)
  const added = keys.indexOf('volume/dns')
  expect(changes[added]).toMatchObject({
    fields: [{ path: 'version', before: '1.30.0', after: spec.kubernetes.version }],
    reason: `dns follows on ${spec.controlPlane.count}`,
  })
  const kubelets = keys.filter((key) => key.startsWith('kubelet/'))
  expect(kubelets).toHaveLength(nodes.length)
  expect(added).toBeGreaterThan(keys.indexOf('kubernetes/kube-scheduler'))
  expect(added).toBeLessThan(keys.indexOf(kubelets[0] ?? ''))
  expect(keys.at(-1)).toBe('kubernetes/bootstrap-manifests')
})
