import { expect, it } from 'vitest'
import { chainNodeUpdates } from '../../src/commands/chain-node-updates.ts'
import type { Change, Risk } from '../../src/plan/change.ts'

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

it('workers of a pool reboot one after the other, and pools do not wait for one another', () => {
  const names = ['demo-a-1', 'demo-a-2', 'demo-b-1']
  expect(needsOf(chainNodeUpdates(names.map((name) => update(name, 'reboot'))))).toEqual({
    'node/demo-a-1': [],
    'node/demo-a-2': ['node/demo-a-1'],
    'node/demo-b-1': [],
  })
})

it('workers that do not reboot are changed eight at a time', () => {
  const names = Array.from({ length: 20 }, (_, index) => `demo-a-${index + 1}`)
  const needs = needsOf(chainNodeUpdates(names.map((name) => update(name, 'live'))))
  expect(needs).toMatchObject({ 'node/demo-a-8': [], 'node/demo-a-9': ['node/demo-a-1'] })
  expect(needs).toMatchObject({ 'node/demo-a-20': ['node/demo-a-12'] })
})

it('the order of control planes is not decided here', () => {
  const names = ['demo-control-plane-1', 'demo-control-plane-2']
  const changes = names.map((name) => update(name, 'live', 'control-plane'))
  expect(chainNodeUpdates(changes)).toEqual(changes)
})
