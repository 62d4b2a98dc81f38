import { expect, it } from 'vitest'
import type { Change, Risk } from '../../src/plan/change.ts'
import { orderChanges } from '../../src/plan/order-changes.ts'
import { orderControlPlanes } from '../../src/plan/order-control-planes.ts'
import { chainNodeUpdates } from '../../src/planner/chain-node-updates.ts'

function update(name: string, risk: Risk, role = 'worker'): Change {
  const record = { kind: 'node', name, spec: { role }, needs: [] } as const
  return {
    key: `node/${name}`,
    action: 'update',
    before: record,
    after: record,
    fields: [],
    reason: 'its machine config changes',
    risk,
    needs: [],
  }
}

function needsOf(changes: readonly Change[]): Record<string, readonly string[]> {
  return Object.fromEntries(changes.map(({ key, needs }) => [key, needs]))
}

it('workers that reboot go through one line for the whole cluster, the first of each pool before all others', () => {
  const names = ['demo-a-1', 'demo-a-2', 'demo-b-1', 'demo-b-2']
  const changes = names.map((name) => update(name, 'reboot'))
  expect(needsOf(chainNodeUpdates(changes, 1))).toEqual({
    'node/demo-a-1': [],
    'node/demo-b-1': ['node/demo-a-1'],
    'node/demo-a-2': ['node/demo-b-1'],
    'node/demo-b-2': ['node/demo-a-2'],
  })
})

it('after the first of a kind the others follow as many at a time as may be unavailable', () => {
  const names = Array.from({ length: 6 }, (_, index) => `demo-a-${index + 1}`)
  const changes = names.map((name) => update(name, 'restart'))
  expect(needsOf(chainNodeUpdates(changes, 2))).toEqual({
    'node/demo-a-1': [],
    'node/demo-a-2': ['node/demo-a-1'],
    'node/demo-a-3': ['node/demo-a-1'],
    'node/demo-a-4': ['node/demo-a-2'],
    'node/demo-a-5': ['node/demo-a-3'],
    'node/demo-a-6': ['node/demo-a-4'],
  })
})

it('where nothing restarts the first of a pool goes alone too, then eight at a time', () => {
  const names = Array.from({ length: 20 }, (_, index) => `demo-a-${index + 1}`)
  const needs = needsOf(
    chainNodeUpdates(
      names.map((name) => update(name, 'live')),
      1,
    ),
  )
  expect(needs).toMatchObject({ 'node/demo-a-1': [], 'node/demo-a-2': ['node/demo-a-1'] })
  expect(needs).toMatchObject({ 'node/demo-a-9': ['node/demo-a-1'] })
  expect(needs).toMatchObject({ 'node/demo-a-20': ['node/demo-a-12'] })
})

it('the order of control planes is not decided here', () => {
  const names = ['demo-control-plane-1', 'demo-control-plane-2']
  const changes = names.map((name) => update(name, 'live', 'control-plane'))
  expect(chainNodeUpdates(changes, 1)).toEqual(changes)
})

it('workers wait for control planes that restart something, and not for what is live', () => {
  const controlPlanes = ['demo-control-plane-1', 'demo-control-plane-2']
  const workers = ['demo-a-1', 'demo-a-2', 'demo-b-1']
  const changesOf = (controlPlane: Risk, worker: Risk) => [
    ...controlPlanes.map((name) => update(name, controlPlane, 'control-plane')),
    ...workers.map((name) => update(name, worker)),
  ]
  expect(needsOf(chainNodeUpdates(changesOf('restart', 'restart'), 3))).toMatchObject({
    'node/demo-control-plane-1': [],
    'node/demo-a-1': ['node/demo-control-plane-1', 'node/demo-control-plane-2'],
    'node/demo-b-1': ['node/demo-a-1'],
    'node/demo-a-2': ['node/demo-b-1'],
  })
  expect(needsOf(chainNodeUpdates(changesOf('live', 'restart'), 3))).toMatchObject({
    'node/demo-a-1': [],
  })
  expect(needsOf(chainNodeUpdates(changesOf('restart', 'live'), 3))).toMatchObject({
    'node/demo-a-1': [],
  })
})

it('no worker waits for control planes where one of them goes or is replaced, which waits for the workers', () => {
  const record = {
    kind: 'server',
    name: 'demo-control-plane-3',
    spec: { role: 'control-plane' },
    needs: [],
  } as const
  const replaced: Change = {
    ...update('demo-control-plane-3', 'replace', 'control-plane'),
    key: 'server/demo-control-plane-3',
    action: 'replace',
    before: record,
    after: record,
  }
  const changes = [
    replaced,
    update('demo-control-plane-1', 'restart', 'control-plane'),
    update('demo-a-1', 'restart'),
  ]
  const chained = chainNodeUpdates(changes, 1)
  expect(needsOf(chained)).toMatchObject({ 'node/demo-a-1': [] })
  const ordered = orderControlPlanes(chained, { running: true, members: 3 })
  expect(orderChanges(ordered).map(({ key }) => key)).toEqual([
    'node/demo-a-1',
    'server/demo-control-plane-3',
    'node/demo-control-plane-1',
  ])
})
