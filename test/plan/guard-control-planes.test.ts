import { expect, test } from 'vitest'
import type { Action, Change } from '../../src/plan/change.ts'
import { guardControlPlanes, type KnownEtcd } from '../../src/plan/guard-control-planes.ts'
import { orderControlPlanes } from '../../src/plan/order-control-planes.ts'

function etcd(count: number, partial: Partial<KnownEtcd> = {}): KnownEtcd {
  const members = Array.from({ length: count }, (_, index) => ({
    name: `cp-${index + 1}`,
    serverGone: false,
  }))
  return { bootstrapped: true, members, fileIsApplied: false, asked: new Set(), ...partial }
}

function lost(count: number, gone: number): KnownEtcd['members'] {
  return etcd(count).members.map((member, index) => ({ ...member, serverGone: index < gone }))
}

function change(action: Action, kind: 'server' | 'node', slot: number): Change {
  const record = {
    kind,
    name: `cp-${slot}`,
    spec: { role: 'control-plane' },
    needs: kind === 'node' ? ([`server/cp-${slot}`] as const) : [],
  }
  return {
    key: `${kind}/cp-${slot}`,
    action,
    before: action === 'create' ? undefined : record,
    after: action === 'delete' ? undefined : record,
    fields: action === 'replace' ? [{ path: 'serverType', before: 'cx23', after: 'cx33' }] : [],
    reason: 'the server type cannot be changed in place',
    risk: 'quorum',
    needs: record.needs,
  }
}

/** What is wrong with these changes in the order in which they would be made. */
function guard(changes: readonly Change[], known: KnownEtcd) {
  const members = known.members.filter(({ serverGone }) => !serverGone).length
  const running = known.bootstrapped
  return guardControlPlanes(orderControlPlanes(changes, { running, members }), known)
}

const replaced = (slot: number) => [
  change('replace', 'server', slot),
  change('create', 'node', slot),
]
const deleted = (slot: number) => [change('delete', 'node', slot), change('delete', 'server', slot)]
const created = (slot: number) => [change('create', 'server', slot), change('create', 'node', slot)]

test('control planes may be replaced and taken away as long as others stay', () => {
  expect(guard([1, 2, 3].flatMap(replaced), etcd(3))).toEqual([])
  expect(guard([4, 5].flatMap(deleted), etcd(5))).toEqual([])
  expect(guard([2, 3].flatMap(deleted), etcd(3))).toEqual([])
})

test('the only one stays, and the way out is told', () => {
  const [finding, ...others] = guard(replaced(1), etcd(1))
  expect(others).toEqual([])
  expect(finding?.message).toContain('the only member of etcd')
  expect(finding?.hint).toMatch(/count to 3 .* snapshot of etcd/)
})

test('the only one may be replaced when others join before it goes', () => {
  expect(guard([...created(2), ...created(3), ...replaced(1)], etcd(1))).toEqual([])
})

test('one apply takes away two at most', () => {
  const [finding] = guard([3, 4, 5].flatMap(deleted), etcd(5))
  expect(finding).toMatchObject({ severity: 'error', path: ['nodes', 'controlPlane', 'count'] })
})

test.for([
  [1, 1, /the only control plane, is gone/],
  [3, 2, /2 of 3 control planes are gone \(cp-1, cp-2\)/],
] as const)('of %i members %i are gone: nothing can be joined', ([count, gone, sentence]) => {
  const known = etcd(count, { members: lost(count, gone) })
  const [finding] = guard(created(1), known)
  expect(finding?.message).toMatch(sentence)
  expect(finding?.hint).toMatch(/snapshot.*hcloud-talos restore/)
})

test('a minority that is gone is recreated', () => {
  expect(guard(created(1), etcd(3, { members: lost(3, 1) }))).toEqual([])
})

test.for([
  [1, 2],
  [2, 4],
  [2, 3],
  [3, 5],
])(
  'with %i of %i gone there is no majority, and nothing but a restore goes on',
  ([gone = 0, of = 0]) => {
    const [finding, ...others] = guard(created(1), etcd(of, { members: lost(of, gone) }))
    expect(others).toEqual([])
    expect(finding?.message).toContain('etcd has lost its quorum')
    expect(finding?.hint).toContain('hcloud-talos restore')
  },
)

test('what differs although the file was applied is replaced only where it is asked for by name', () => {
  const known = etcd(3, { fileIsApplied: true })
  const [finding] = guard(replaced(2), known)
  expect(finding?.message).toContain('(serverType)')
  expect(finding?.hint).toContain('--replace cp-2')
  expect(guard(replaced(2), { ...known, asked: new Set(['cp-2']) })).toEqual([])
})

test('control planes that may have started etcd unrecorded stay; those without a config may go', () => {
  const beginning = etcd(3, { bootstrapped: false })
  expect(guard(deleted(3), beginning)).toHaveLength(1)
  expect(guard(created(3), beginning)).toEqual([])
  expect(guard(deleted(3), { ...beginning, members: [] })).toEqual([])
})
