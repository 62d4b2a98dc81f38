import { expect, test } from 'vitest'
import { standingOf } from '../../../src/kubeadm/cluster/found-cluster.ts'
import type { InventoryHost } from '../../../src/plan/inventory.ts'
import { foundIn } from '../../../src/planner/kubeadm/found-in-view.ts'
import type { HostsView } from '../../../src/planner/kubeadm/hosts-view.ts'
import {
  memberOf,
  newView,
  rackOf,
  runningView,
  withCluster,
  withHost,
  withUnreached,
} from '../../planner/kubeadm/rack.ts'

const rack = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1'])

function recorded(view: HostsView, name: string, facts: Partial<InventoryHost>): HostsView {
  const { generation } = view
  if (!generation) throw new Error('nothing is recorded')
  const nodes = generation.inventory.nodes.map((node) =>
    node.name === name && node.host ? { ...node, host: { ...node.host, ...facts } } : node,
  )
  return { ...view, generation: { ...generation, inventory: { ...generation.inventory, nodes } } }
}

const without = (view: HostsView, name: string) =>
  withCluster(view, (cluster) => ({
    ...cluster,
    nodes: cluster.nodes.filter((node) => node.name !== name),
  }))

test('how a host stands to its cluster follows from the host, the cluster and the state together', () => {
  const running = runningView(rack)
  const reset = withHost(running, 'cp-2', (host) => ({
    ...host,
    traces: { ...host.traces, hasKubeletConf: false },
  }))
  const cases: readonly (readonly [string, HostsView])[] = [
    ['none', newView(rack)],
    ['member', running],
    ['member', withUnreached(running, 'cp-2')],
    ['member', { ...running, cluster: undefined }],
    ['unregistered', without(running, 'cp-2')],
    ['lost', reset],
    ['lost', withHost(running, 'cp-2', (host) => ({ ...host, machineId: 'another' }))],
    ['leaving', recorded(running, 'cp-2', { membership: 'leaving' })],
    ['begun', without(recorded(running, 'cp-2', { membership: 'joining' }), 'cp-2')],
    ['begun', recorded(reset, 'cp-2', { membership: 'joining' })],
    // It ended, and nobody could write that down.
    ['member', recorded(running, 'cp-2', { membership: 'joining' })],
    [
      'begun',
      withCluster(recorded(running, 'cp-2', { membership: 'joining' }), (cluster) => ({
        ...cluster,
        members: cluster.members.map((one) =>
          one.name === 'cp-2' ? memberOf('cp-2', { isLearner: true }) : one,
        ),
      })),
    ],
  ]
  expect(cases.map(([, view]) => standingOf(foundIn(view), 'cp-2'))).toEqual(
    cases.map(([standing]) => standing),
  )
})
