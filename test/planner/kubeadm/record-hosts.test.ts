import { expect, test } from 'vitest'
import { hostNodes } from '../../../src/planner/kubeadm/host-nodes.ts'
import { firstInventory, recordHosts } from '../../../src/planner/kubeadm/record-hosts.ts'
import { authority, newView, rackOf, runningView, withSpec, withUnreached } from './rack.ts'

const rack = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1'])

test('a node is in the pool of its role, and keeps its slot whoever comes before it by name', () => {
  const { generation } = runningView(rackOf(['cp-1', 'cp-3', 'cp-5']))
  const grown = rackOf(['cp-1', 'cp-2', 'cp-3', 'cp-4', 'cp-5'], ['worker-1'])
  const slots = hostNodes(grown, generation?.inventory).map(
    ({ name, pool, slot }) => `${name} ${pool} ${slot}`,
  )
  expect(slots).toEqual([
    'cp-1 control-plane 1',
    'cp-2 control-plane 4',
    'cp-3 control-plane 2',
    'cp-4 control-plane 5',
    'cp-5 control-plane 3',
    'worker-1 worker 1',
  ])
})

test('what is recorded of a host is how it is reached, which machine it is, and what its node was given', () => {
  const node = runningView(rack).generation?.inventory.nodes.find(({ name }) => name === 'cp-1')
  expect(node).toMatchObject({
    name: 'cp-1',
    role: 'control-plane',
    pool: 'control-plane',
    kubernetesVersion: '1.35.4',
    host: {
      hostKey: 'ssh-ed25519 key-of-cp-1',
      machineId: 'machine-of-cp-1',
      membership: 'member',
      given: { labels: [], taints: ['node-role.kubernetes.io/control-plane:NoSchedule'] },
    },
  })
  expect(runningView(rack).generation?.inventory.authority).toBe(authority)
})

test('a host that was not reached, or has left the file, stays as it was recorded', () => {
  const view = runningView(rack)
  const before = view.generation?.inventory
  if (!before) throw new Error('nothing was recorded')
  const fewer = withSpec(view, rackOf(['cp-1', 'cp-2', 'cp-3']))
  const after = recordHosts(before, withUnreached(fewer, 'cp-2'))
  const nodeOf = (name: string) => (all: typeof after) => all.nodes.find((one) => one.name === name)
  for (const name of ['cp-2', 'worker-1']) {
    expect(nodeOf(name)(after)).toEqual(nodeOf(name)(before))
  }
})

test('a host that is no node yet is recorded as no member', () => {
  const view = newView(rack)
  const { nodes } = recordHosts(firstInventory(view, '0123456789abcdef'), view)
  expect(nodes.map(({ host }) => host?.membership)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
