import { expect, test } from 'vitest'
import { clusterStatus } from '../../../src/planner/cluster-status.ts'
import { describeEndpoint, describeNodes } from '../../../src/planner/kubeadm/describe-cluster.ts'
import { planApply } from '../../../src/planner/kubeadm/plan-apply.ts'
import {
  evidence,
  newView,
  now,
  rackOf,
  runningView,
  withCluster,
  withHost,
  withUnreached,
} from './rack.ts'

const rack = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1', 'worker-10', 'worker-2'])

function statusOf(view: ReturnType<typeof runningView>) {
  const plan = planApply(view, { now })
  const nodes = describeNodes(view)
  return clusterStatus(view, { endpoint: describeEndpoint(view), nodes, plan })
}

test('the status of hosts has each with what it runs, control planes first, by number', () => {
  const { nodes, endpoint, kubernetes } = statusOf(runningView(rack))
  expect(nodes.map(({ name }) => name)).toEqual([
    'cp-1',
    'cp-2',
    'cp-3',
    'worker-1',
    'worker-2',
    'worker-10',
  ])
  expect(endpoint).toBe('https://192.0.2.10:6443')
  expect(kubernetes).toEqual({ wanted: 'v1.35.4', runs: 'v1.35.4' })
  expect(nodes[0]).toMatchObject({
    machine: { kind: 'host', state: 'running', id: 'machine-of-cp-1' },
    kubernetes: 'v1.35.4',
    ready: true,
    because: null,
  })
})

test('the status of a host says what stands in its way, the worst first', () => {
  const down = withCluster(runningView(rack), (cluster) => ({
    ...cluster,
    nodes: cluster.nodes.map((node) =>
      node.name === 'cp-2' ? { ...node, isReady: false, notReadyBecause: 'kubelet is gone' } : node,
    ),
  }))
  const swapping = withHost(down, 'worker-1', (host) => ({
    ...host,
    evidence: evidence('worker-1', { swap: 'in use: /dev/sda2' }),
  }))
  const because = Object.fromEntries(
    statusOf(withUnreached(swapping, 'cp-3')).nodes.map((node) => [node.name, node.because]),
  )
  expect(because).toMatchObject({
    'cp-1': null,
    'cp-2': 'kubelet is gone',
    'cp-3': 'it is not reached: connection timed out',
    'worker-1': 'swap: in use: /dev/sda2',
  })
})

test('the status of hosts that are none of a cluster yet says so', () => {
  const { begun, kubernetes, nodes, state } = statusOf(newView(rack))
  expect([begun, kubernetes.runs, state]).toEqual([false, null, null])
  expect(new Set(nodes.map(({ because }) => because))).toEqual(new Set(['it is no node yet']))
})
