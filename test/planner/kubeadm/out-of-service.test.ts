import { describe, expect, test } from 'vitest'
import { keptCordons } from '../../../src/planner/kubeadm/kept-cordons.ts'
import { outOfService } from '../../../src/planner/kubeadm/out-of-service.ts'
import { planApply } from '../../../src/planner/kubeadm/plan-apply.ts'
import type { JournalEntry } from '../../../src/store/files/journal.ts'
import { evidence, now, rackOf, runningView, withCluster, withHost, withSpec } from './rack.ts'

const workers = ['worker-1', 'worker-2', 'worker-3']
const rack = rackOf(['cp-1'], workers)
const running = runningView(rack)

function cordoned(view: typeof running, name: string, by: string | undefined) {
  return withCluster(view, (cluster) => ({
    ...cluster,
    nodes: cluster.nodes.map((node) =>
      node.name === name ? { ...node, isCordoned: true, cordonedBy: by } : node,
    ),
  }))
}

function withSwap(view: typeof running, name: string) {
  return withHost(view, name, (host) => ({
    ...host,
    evidence: evidence(name, { swap: 'swap is on' }),
  }))
}

function planned(view: typeof running) {
  return planApply(view, { now }).changes
}

describe('nodes of hosts that a run which ended early took out of service', () => {
  test('are waited for, unless somebody cordoned them by hand', () => {
    const view = cordoned(cordoned(running, 'worker-2', 'run-7'), 'worker-3', undefined)
    expect(outOfService(view, planned(view))).toEqual({
      away: new Set(),
      cordoned: new Map([['worker-2', 'run-7']]),
    })
  })

  test('go first where they have a change that drains them, before any other is stopped', () => {
    const both = withSwap(withSwap(running, 'worker-1'), 'worker-2')
    const order = (view: typeof running) => planned(view).map(({ key, needs }) => [key, ...needs])
    expect(order(both)).toEqual([['host/worker-1'], ['host/worker-2', 'host/worker-1']])
    expect(order(cordoned(both, 'worker-2', 'run-7'))).toEqual([
      ['host/worker-2'],
      ['host/worker-1', 'host/worker-2'],
    ])
  })

  test('have a place until they are back where their machine is another one', () => {
    const view = withHost(running, 'worker-2', (host) => ({
      ...host,
      traces: { ...host.traces, hasKubeletConf: false },
    }))
    const changes = planned(view)
    expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual(['replace node/worker-2'])
    expect(outOfService(view, changes).away).toEqual(new Set(['worker-2']))
  })

  test('keep their cordon while their upgrade is wanted, and lose it once it is not', () => {
    const fact = (name: JournalEntry['fact'], node: string): JournalEntry => ({
      at: new Date(now).toISOString(),
      run: 'run-7',
      attempt: 1,
      fact: name,
      node,
      detail: { version: 'Kubernetes 1.36.3' },
    })
    const wanted = withSpec(running, {
      ...rack,
      kubernetes: { ...rack.kubernetes, version: '1.36.3' },
    })
    const since = (view: typeof running, journal: readonly JournalEntry[]) =>
      view.generation ? { ...view, generation: { ...view.generation, journal } } : view
    const begun = [fact('upgrade-started', 'worker-1')]
    expect([...keptCordons(since(wanted, begun)).keys()]).toEqual(['worker-1'])
    expect([
      ...keptCordons(since(wanted, [...begun, fact('upgrade-finished', 'worker-1')])),
    ]).toEqual([])
    expect([...keptCordons(since(running, begun))]).toEqual([])
  })
})
