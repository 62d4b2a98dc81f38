import { expect, it } from 'vitest'
import { etcdBeginning, isCovered } from '../../src/planner/etcd-beginning.ts'
import type { FactName, JournalEntry } from '../../src/store/files/journal.ts'

const entry = (fact: FactName, run: string): JournalEntry => ({
  at: '2026-11-28T02:00:00.000Z',
  run,
  attempt: 1,
  fact,
})
const journal = [entry('etcd-bootstrapped', '1')]
const metadata = {
  cluster: 'demo',
  uid: 'a',
  node: 'demo-control-plane-1',
  takenAt: '2026-11-28T02:00:00.000Z',
  talosVersion: 'v1.13.9',
  kubernetesVersion: '1.36.3',
  applied: '100',
  beginning: etcdBeginning(journal),
}

it.each([
  ['the same', metadata, { applied: '100' }, journal, true],
  ['a member behind the snapshot', metadata, { applied: '99' }, journal, true],
  ['one that went on', metadata, { applied: '101' }, journal, false],
  [
    'one of an etcd that began later',
    metadata,
    { applied: '7' },
    [...journal, entry('etcd-recovered', '2')],
    false,
  ],
  ['one of which only the file can be read', metadata, { database: 'x' }, journal, false],
  ['the very file', { ...metadata, database: 'x' }, { database: 'x' }, journal, true],
  [
    'a snapshot from before there were marks',
    { ...metadata, applied: undefined, beginning: undefined },
    { applied: '1' },
    journal,
    false,
  ],
  [
    'neither says when its etcd began',
    { ...metadata, beginning: undefined },
    { applied: '1' },
    [],
    false,
  ],
  ['a plain snapshot', undefined, { applied: '1' }, journal, false],
])('%s: what cannot be compared counts as newer', (_, snapshot, mark, known, covered) => {
  expect(isCovered(snapshot, mark, known)).toBe(covered)
})
