import { describe, expect, test } from 'vitest'
import type { HostsView } from '../../../src/planner/kubeadm/hosts-view.ts'
import { planApply } from '../../../src/planner/kubeadm/plan-apply.ts'
import { planUpgrade } from '../../../src/planner/kubeadm/plan-upgrade.ts'
import type { HostsSpec } from '../../../src/spec/hosts/hosts-spec.ts'
import { now, rackOf, runningView, withCluster, withHost, withSpec, withUnreached } from './rack.ts'

const rack = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1', 'worker-2'])
const running = () => runningView(rack)
const day = 24 * 3_600_000

function shown(view: HostsView) {
  return planApply(view, { now }).changes.map(({ key, risk, fields }) => [
    key,
    risk,
    ...fields.map(({ path, before, after }) => [path, before, after]),
  ])
}

const endingOn = (view: HostsView, name: string, days: number) =>
  withHost(view, name, (host) => ({
    ...host,
    traces: { ...host.traces, certificatesEnd: now + days * day },
  }))

describe('certificates of control planes', () => {
  test('are renewed in the month before they end, one control plane after the other (kubespray 6344)', () => {
    expect(shown(endingOn(running(), 'cp-2', 31))).toEqual([])
    const view = ['cp-3', 'cp-1'].reduce((all, name) => endingOn(all, name, 29), running())
    const field = ['certificates', 'until 2026-12-29', 'renewed']
    expect(shown(view)).toEqual([
      ['node/cp-1', 'restart', field],
      ['node/cp-3', 'restart', field],
    ])
    const { changes } = planApply(view, { now })
    expect(changes.at(-1)?.needs).toContain('node/cp-1')
  })

  test('are renewed by an upgrade itself, and by nothing while another control plane is down', () => {
    expect(planUpgrade(endingOn(running(), 'cp-2', 3), { now }).changes).toEqual([])
    const { findings } = planApply(withUnreached(endingOn(running(), 'cp-2', 3), 'cp-1'), { now })
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        message: 'node/cp-2 stops cp-2 for a while, and cp-1 is down',
      }),
    )
  })
})

describe('settings of kubelets', () => {
  const withArguments = (kubeletExtraArgs: HostsSpec['kubernetes']['kubeletExtraArgs']) => ({
    ...rack,
    kubernetes: { ...rack.kubernetes, kubeletExtraArgs },
  })
  const hosts = ['cp-1', 'cp-2', 'cp-3', 'worker-1', 'worker-2']

  test('are given to one node after the other: control planes in a line, workers as many at once as may be away', () => {
    const view = withSpec(running(), withArguments({ 'max-pods': '200' }))
    const field = ['kubelet.--max-pods', undefined, '200']
    expect(shown(view).toSorted()).toEqual(hosts.map((name) => [`node/${name}`, 'drain', field]))
    const { changes } = planApply(view, { now })
    const needs = new Map(changes.map(({ key, needs: all }) => [key, all]))
    expect(needs.get('node/cp-3')).toContain('node/cp-2')
    expect(needs.get('node/worker-2')).toContain('node/worker-1')
  })

  test('that nobody asks for any more are taken away, and those of kubeadm are not looked at', () => {
    const view = withHost(running(), 'worker-1', (host) => ({
      ...host,
      traces: {
        ...host.traces,
        kubelet: {
          ...host.traces.kubelet,
          flags: {
            ...host.traces.kubelet.flags,
            'register-with-taints': 'gpu=present:NoSchedule',
            'max-pods': '20',
          },
        },
      },
    }))
    expect(shown(view)).toEqual([
      ['node/worker-1', 'drain', ['kubelet.--max-pods', '20', undefined]],
    ])
  })

  test('that all share are kept by the cluster as well, for those that join', () => {
    const other = { serverTLSBootstrap: !rack.addons.csrApprover.enabled, rotateCertificates: true }
    const view = withCluster(running(), (cluster) => ({ ...cluster, kubeletConfiguration: other }))
    expect(shown(view)).toEqual([
      [
        'kubernetes/rack',
        'live',
        ['kubelet.serverTLSBootstrap', other.serverTLSBootstrap, !other.serverTLSBootstrap],
      ],
    ])
  })

  test('are as asked for where nobody could read them, and where patches decide', () => {
    const unread = withHost(running(), 'worker-1', (host) => ({
      ...host,
      traces: { ...host.traces, kubelet: { config: undefined, flags: undefined } },
    }))
    expect(shown(unread)).toEqual([])
  })
})
