import { expect, test } from 'vitest'
import { planRemoval } from '../../../src/planner/kubeadm/plan-removal.ts'
import { authority, rackOf, runningView, withHost, withSpec, withUnreached } from './rack.ts'

const rack = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1', 'worker-2'])

test('a destroy undoes workers first, then one control plane after the other', () => {
  const { changes, findings } = planRemoval(runningView(rack))
  expect(findings).toEqual([])
  expect(changes.map(({ key, needs }) => [key, needs.length])).toEqual([
    ['host/worker-1', 0],
    ['host/worker-2', 0],
    ['host/cp-3', 2],
    ['host/cp-2', 3],
    ['host/cp-1', 4],
  ])
})

test('each host ends as the file has it, and one that has left the file as the state remembers it', () => {
  const purged = {
    ...rack,
    hosts: rack.hosts.map((host) => ({
      ...host,
      onRemove: host.name === 'worker-2' ? ('purge' as const) : ('reset' as const),
    })),
  }
  const left = { ...purged, hosts: purged.hosts.filter(({ name }) => name !== 'worker-2') }
  const { changes } = planRemoval(withSpec(runningView(purged), left))
  const ways = changes.map(({ before }) => `${before?.name} ${before?.spec['onRemove']}`).sort()
  expect(ways).toEqual([
    'cp-1 reset',
    'cp-2 reset',
    'cp-3 reset',
    'worker-1 reset',
    'worker-2 purge',
  ])
})

test('nothing is undone on a host that is not reached, is another machine, or is of another cluster', () => {
  const view = withUnreached(
    withHost(
      withHost(runningView(rack), 'cp-2', (host) => ({ ...host, machineId: 'another' })),
      'worker-1',
      (host) => ({ ...host, traces: { ...host.traces, caHash: `${authority}0` } }),
    ),
    'worker-2',
  )
  const { changes, findings } = planRemoval(view)
  expect(changes.map(({ key }) => key)).toEqual(['host/cp-3', 'host/cp-1'])
  expect(findings.map(({ message }) => message.split(' ')[0])).toEqual([
    'cp-2',
    'worker-1',
    'worker-2',
  ])
})
