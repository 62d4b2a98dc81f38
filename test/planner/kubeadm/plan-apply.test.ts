import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import type { HostsView } from '../../../src/planner/kubeadm/hosts-view.ts'
import { planApply } from '../../../src/planner/kubeadm/plan-apply.ts'
import {
  newView,
  now,
  rackOf,
  runningView,
  withCluster,
  withHost,
  withSpec,
  withUnreached,
} from './rack.ts'

const plan = (view: HostsView, replace: readonly string[] = []) => planApply(view, { now, replace })
const acts = ({ changes }: Plan) => changes.map(({ action, key }) => `${action} ${key}`)
const errors = ({ findings }: Plan) =>
  findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)

const rack = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1'])

describe('a cluster that does not exist yet', () => {
  test('is prepared on all hosts at once, begins on the first control plane, and grows one by one', () => {
    const first = plan(newView(rack))
    expect(errors(first)).toEqual([])
    expect(acts(first)).toEqual([
      'create host/cp-1',
      'create host/cp-2',
      'create host/cp-3',
      'create host/worker-1',
      'create node/cp-1',
      'create node/cp-2',
      'create node/cp-3',
      'create node/worker-1',
      'create etcd/rack',
      'create kube-vip/cp-1',
      'create kube-vip/cp-2',
      'create kube-vip/cp-3',
      'create addon/cilium',
      'create addon/csr-approver',
    ])
  })
})

describe('a cluster that is as the file has it', () => {
  test('has an empty plan', () => {
    const { changes, waiting, findings } = plan(runningView(rack))
    expect({ changes, waiting, findings }).toEqual({ changes: [], waiting: [], findings: [] })
  })

  test('grows by a worker that is prepared and joins', () => {
    const more = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1', 'worker-2'])
    const grown = plan(withSpec(runningView(rack), more))
    expect(acts(grown)).toEqual([
      'create host/worker-2',
      'create node/worker-2',
      // It approves certificates of these hosts alone.
      'update addon/csr-approver',
    ])
    expect(errors(grown)).toEqual([])
  })

  test('fixes what a host lost, and a node with swap is drained for it', () => {
    const view = withHost(runningView(rack), 'worker-1', (host) => ({
      ...host,
      evidence: host.evidence.map((one) =>
        one.check === 'swap' ? { ...one, state: 'failed', seen: 'in use: /dev/sdb2' } : one,
      ),
    }))
    const [change] = plan(view).changes
    expect(change).toMatchObject({ key: 'host/worker-1', action: 'update', risk: 'drain' })
    expect(change?.fields).toContainEqual({
      path: 'checks.swap',
      before: 'in use: /dev/sdb2',
      after: 'passed',
    })
  })
})

const labelled = (labels: Record<string, string>) => ({
  ...rack,
  hosts: rack.hosts.map((host) => (host.name === 'worker-1' ? { ...host, labels } : host)),
})
const seenLabels = (view: HostsView, labels: Record<string, string>) =>
  withCluster(view, (cluster) => ({
    ...cluster,
    nodes: cluster.nodes.map((node) => (node.name === 'worker-1' ? { ...node, labels } : node)),
  }))

describe('labels and taints', () => {
  test('of others are neither compared nor taken away; ours are', () => {
    const theirs = seenLabels(runningView(labelled({ rack: 'a' })), { rack: 'b', theirs: 'x' })
    expect(plan(theirs).changes).toMatchObject([
      {
        key: 'node/worker-1',
        risk: 'live',
        fields: [{ path: 'labels.rack', before: 'b', after: 'a' }],
      },
    ])
    const gone = withSpec(runningView(labelled({ rack: 'a' })), rack)
    expect(plan(gone).changes).toMatchObject([
      { fields: [{ path: 'labels.rack', before: 'a', after: undefined }] },
    ])
  })

  test('are no matter of their order', () => {
    const taints = [
      { key: 'a', value: 'x', effect: 'NoSchedule' },
      { key: 'b', effect: 'NoExecute' },
    ] as const
    const spec = {
      ...rack,
      hosts: rack.hosts.map((host) => (host.name === 'worker-1' ? { ...host, taints } : host)),
    }
    const view = withCluster(runningView(spec), (cluster) => ({
      ...cluster,
      nodes: cluster.nodes.map((node) => ({
        ...node,
        taints: [...node.taints.toReversed(), { key: 'theirs', effect: 'NoSchedule' }],
      })),
    }))
    expect(plan(view).changes).toEqual([])
  })
})

describe('a host that leaves', () => {
  const without = (name: string) => ({
    ...rack,
    hosts: rack.hosts.filter((host) => host.name !== name),
  })

  test('is drained one after the other, and its host comes last (k0sctl 723)', () => {
    const many = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1', 'worker-2', 'worker-3'])
    const { changes } = plan(withSpec(runningView(many), rackOf(['cp-1', 'cp-2', 'cp-3'])))
    const left = changes.filter(({ action }) => action === 'delete')
    expect(left.map(({ key, needs }) => `${key} after ${needs.join(', ')}`)).toEqual([
      'node/worker-1 after ',
      'node/worker-2 after node/worker-1',
      'node/worker-3 after node/worker-2',
      'host/worker-1 after node/worker-1',
      'host/worker-2 after node/worker-2',
      'host/worker-3 after node/worker-3',
    ])
  })

  test('leaves without itself where it is dead, and stays where its node is Ready', () => {
    const dead = withUnreached(
      withCluster(withSpec(runningView(rack), without('worker-1')), (cluster) => ({
        ...cluster,
        nodes: cluster.nodes.map((node) => ({ ...node, isReady: node.name !== 'worker-1' })),
      })),
      'worker-1',
    )
    expect(acts(plan(dead)).filter((act) => act.includes('worker-1'))).toEqual([
      'delete node/worker-1',
    ])
    const ready = withUnreached(withSpec(runningView(rack), without('worker-1')), 'worker-1')
    expect(acts(plan(ready)).filter((act) => act.includes('worker-1'))).toEqual([])
    expect(errors(plan(ready))).toEqual([expect.stringContaining('its node is Ready')])
  })
})

describe('a host with another role', () => {
  test('joins etcd before another one leaves it', () => {
    const swapped = rackOf(['cp-1', 'cp-2', 'worker-1'], ['cp-3'])
    const { changes } = plan(withSpec(runningView(rack), swapped))
    expect(changes.filter(({ action }) => action === 'replace').map(({ key }) => key)).toEqual([
      'host/worker-1',
      'node/worker-1',
      'host/cp-3',
      'node/cp-3',
    ])
  })
})
