import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import type { HostsView } from '../../../src/planner/kubeadm/hosts-view.ts'
import { planApply } from '../../../src/planner/kubeadm/plan-apply.ts'
import { newView, now, rackOf, runningView, withHost, withSpec } from './rack.ts'

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
    expect(acts(grown)).toEqual(['create host/worker-2', 'create node/worker-2'])
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
