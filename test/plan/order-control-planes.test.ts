import { expect, test } from 'vitest'
import type { Action, Change, Risk } from '../../src/plan/change.ts'
import { orderChanges } from '../../src/plan/order-changes.ts'
import { orderControlPlanes } from '../../src/plan/order-control-planes.ts'
import type { ClusterRecord, RecordKey } from '../../src/plan/record.ts'

function change(
  action: Action,
  key: RecordKey,
  role = 'control-plane',
  risk: Risk = 'quorum',
): Change {
  const [kind, name = ''] = key.split('/')
  const needs: RecordKey[] = kind === 'node' ? [`server/${name}`] : []
  if (kind !== 'server' && kind !== 'node' && kind !== 'addon' && kind !== 'etcd') {
    throw new Error(`no ${kind} in this test`)
  }
  const record: ClusterRecord = { kind, name, spec: { role }, needs }
  return {
    key,
    action,
    before: action === 'create' ? undefined : record,
    after: action === 'delete' ? undefined : record,
    fields: [],
    reason: 'a test',
    risk,
    needs,
  }
}

function order(changes: readonly Change[], members: number, running = true): string[] {
  return orderChanges(orderControlPlanes(changes, { running, members })).map(
    ({ action, key }) => `${action} ${key}`,
  )
}

test('the dead leave, the lost come back, new ones join, then living ones are replaced, configured, taken away', () => {
  const changes = [
    change('update', 'node/cp-2'),
    change('delete', 'node/cp-6'),
    change('delete', 'server/cp-6'),
    change('replace', 'server/cp-1'),
    change('replace', 'node/cp-1'),
    change('create', 'node/cp-4'),
    change('replace', 'node/cp-3'),
    change('delete', 'node/cp-7'),
  ]
  expect(order(changes, 5)).toEqual([
    'delete node/cp-7',
    'replace node/cp-3',
    'create node/cp-4',
    'replace server/cp-1',
    'replace node/cp-1',
    'update node/cp-2',
    'delete node/cp-6',
    'delete server/cp-6',
  ])
})

test('the highest slot leaves first', () => {
  const changes = [2, 3].flatMap((slot) => [
    change('delete', `node/cp-${slot}`),
    change('delete', `server/cp-${slot}`),
  ])
  expect(order(changes, 3).slice(0, 2)).toEqual(['delete node/cp-3', 'delete server/cp-3'])
})

test('of two, one leaves before the other is stopped: two can do without neither', () => {
  const changes = [change('update', 'node/cp-1'), change('delete', 'node/cp-2')]
  const gone = [...changes, change('delete', 'server/cp-2')]
  expect(order(gone, 2).at(-1)).toBe('update node/cp-1')
  expect(order(gone, 3)[0]).toBe('update node/cp-1')
})

test('nobody speaks to a control plane while it is taken away: workers go before, addons in between', () => {
  const changes = [
    change('replace', 'server/cp-1'),
    change('replace', 'node/cp-1'),
    change('delete', 'node/cp-2'),
    change('delete', 'server/cp-2'),
    change('update', 'addon/cilium', '', 'live'),
    change('delete', 'node/worker-1', 'worker', 'drain'),
    change('create', 'node/worker-2', 'worker', 'additive'),
  ]
  expect(order(changes, 3)).toEqual([
    'delete node/worker-1',
    'create node/worker-2',
    'replace server/cp-1',
    'replace node/cp-1',
    'update addon/cilium',
    'delete node/cp-2',
    'delete server/cp-2',
  ])
})

test('before there is an etcd control planes are made at once, and what goes waits for it', () => {
  const changes = [
    change('create', 'node/cp-1'),
    change('create', 'node/cp-2'),
    change('create', 'etcd/demo', ''),
    change('delete', 'node/cp-3'),
  ]
  const made = orderControlPlanes(changes, { running: false, members: 0 })
  expect(made.find(({ key }) => key === 'node/cp-2')?.follows).toBeUndefined()
  expect(order(changes, 0, false).at(-1)).toBe('delete node/cp-3')
})

test('one that is off is started before any other is stopped, whatever else changes on its server', () => {
  const power = { path: 'power', before: 'off', after: 'on' }
  const changes = [
    change('update', 'server/cp-1'),
    { ...change('update', 'server/cp-3'), fields: [power] },
    change('update', 'node/cp-3'),
  ]
  const ordered = orderChanges(orderControlPlanes(changes, { running: true, members: 3 }))
  expect(ordered.find(({ key }) => key === 'server/cp-3')?.needs).toEqual([])
  expect(ordered.find(({ key }) => key === 'node/cp-3')?.needs).toContain('server/cp-1')
})

test('a server that no member runs on yet is changed with its node, before the others', () => {
  for (const action of ['create', 'replace'] as const) {
    const changes = [
      change('update', 'server/cp-1'),
      change('update', 'server/cp-3'),
      change(action, 'node/cp-3'),
    ]
    expect(order(changes, 3)).toEqual([
      'update server/cp-3',
      `${action} node/cp-3`,
      'update server/cp-1',
    ])
  }
})
