import { describe, expect, test } from 'vitest'
import { planApply } from '../../../src/planner/kubeadm/plan-apply.ts'
import { planUpgrade } from '../../../src/planner/kubeadm/plan-upgrade.ts'
import type { HostsSpec } from '../../../src/spec/hosts/hosts-spec.ts'
import { now, rackOf, runningView, withCluster, withHost, withSpec, withUnreached } from './rack.ts'

const rack = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1'])

function withVersions(kubernetes: string, containerd = '2.3.7', spec: HostsSpec = rack): HostsSpec {
  return {
    ...spec,
    kubernetes: { ...spec.kubernetes, version: kubernetes },
    kubeadm: { ...spec.kubeadm, runtime: { ...spec.kubeadm.runtime, version: containerd } },
  }
}

const view = (kubernetes: string, containerd?: string) =>
  withSpec(runningView(rack), withVersions(kubernetes, containerd))
const upgrade = (of: ReturnType<typeof view>) => planUpgrade(of, { now })
const errors = (of: ReturnType<typeof upgrade>) =>
  of.findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)

describe('an upgrade', () => {
  test('changes one thing after the other: containerd, the control plane, then kubelets', () => {
    const plan = upgrade(view('1.36.3', '2.3.8'))
    expect(errors(plan)).toEqual([])
    expect(plan.changes.map(({ key, risk }) => `${key} ${risk}`)).toEqual([
      'host/cp-1 drain',
      'host/cp-2 drain',
      'host/cp-3 drain',
      'host/worker-1 drain',
      'kubernetes/rack restart',
      'kubelet/cp-1 drain',
      'kubelet/cp-2 drain',
      'kubelet/cp-3 drain',
      'kubelet/worker-1 drain',
    ])
    const keys = plan.changes.map(({ key }) => key)
    expect(plan.changes.map(({ needs }) => needs)).toEqual(
      keys.map((_, index) => keys.slice(0, index).slice(-1)),
    )
  })

  test('is what an apply lists as waiting, and does not do', () => {
    const plan = planApply(view('1.36.3', '2.3.8'), { now })
    expect(plan.changes).toEqual([])
    expect(plan.waiting.map(({ key }) => key)).toEqual(
      upgrade(view('1.36.3', '2.3.8')).changes.map(({ key }) => key),
    )
  })

  test('is empty where every host runs what the file names', () => {
    const plan = upgrade(runningView(rack))
    expect([plan.changes, plan.findings]).toEqual([[], []])
  })

  test('continues where it was cut off', () => {
    const halfway = withCluster(
      withHost(view('1.36.3'), 'cp-1', (host) => ({
        ...host,
        traces: { ...host.traces, staticPods: { 'kube-apiserver': '1.36.3' } },
      })),
      (cluster) => ({
        ...cluster,
        configuration: { ...cluster.configuration, kubernetesVersion: 'v1.36.3' },
      }),
    )
    expect(upgrade(halfway).changes[0]).toMatchObject({
      key: 'kubernetes/rack',
      fields: [{ path: 'version', before: '1.35.4', after: '1.36.3' }],
    })
  })

  test('goes up by one minor of Kubernetes, and never back', () => {
    expect(errors(upgrade(view('1.37.2')))).toEqual([expect.stringContaining('one minor')])
    expect(errors(upgrade(view('1.34.2')))).toEqual([
      'Kubernetes of rack does not go back from 1.35.4 to 1.34.2: the control plane runs 1.35.4',
    ])
  })

  test('goes from one containerd with long support to the next, and else by one minor', () => {
    const from = (version: string) =>
      withSpec(runningView(withVersions('1.35.4', version)), withVersions('1.35.4', '2.3.7'))
    expect(errors(upgrade(from('1.7.28')))).toEqual([])
    expect(errors(upgrade(from('2.2.1')))).toEqual([])
    expect(errors(upgrade(from('2.1.5')))).toEqual([
      'containerd goes up one minor release at a time, and 2.1.5 to 2.3.7 is more',
    ])
  })

  test('waits for hosts that are not reached, and for the rest of the file', () => {
    expect(errors(upgrade(withUnreached(view('1.36.3'), 'worker-1')))).toEqual([
      'worker-1 is not reached: no node is upgraded while one is away',
    ])
    const labelled = withVersions('1.36.3', '2.3.7', {
      ...rack,
      hosts: rack.hosts.map((host) => ({ ...host, labels: { rack: 'a' } })),
    })
    expect(errors(upgrade(withSpec(runningView(rack), labelled)))).toEqual([
      'the rest of the file must be applied before versions are upgraded: node/cp-1 and 3 more',
    ])
  })

  test('lets what fails only because of versions to the upgrade', () => {
    const older = withHost(view('1.36.3', '2.3.8'), 'worker-1', (host) => ({
      ...host,
      evidence: host.evidence.map((one) =>
        one.step === 'os_ready' ? one : { ...one, state: 'failed', seen: 'another version' },
      ),
    }))
    expect(planApply(older, { now }).changes).toEqual([])
  })
})
