import { describe, expect, test } from 'vitest'
import type { Inventory } from '../../../src/plan/inventory.ts'
import type { HostsView } from '../../../src/planner/kubeadm/hosts-view.ts'
import { planApply } from '../../../src/planner/kubeadm/plan-apply.ts'
import type { HostsSpec } from '../../../src/spec/hosts/hosts-spec.ts'
import {
  authority,
  generationOf,
  memberOf,
  newView,
  now,
  rackOf,
  runningView,
  withCluster,
  withHost,
  withSpec,
  withUnreached,
} from './rack.ts'

const rack = rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1'])
const running = () => runningView(rack)

function findings(view: HostsView, replace: readonly string[] = []): string[] {
  return planApply(view, { now, replace }).findings.map(
    ({ severity, message }) => `${severity}: ${message}`,
  )
}

const another = `sha256:${'b'.repeat(64)}`

/** A state in which `kubeadm init` was started on a host and did not end. */
function begunOn(name: string): HostsView {
  const inventory: Inventory = {
    clusterName: 'rack',
    uid: '0123456789abcdef',
    nodes: [
      {
        name,
        role: 'control-plane',
        pool: 'control-plane',
        slot: 1,
        privateIp: '192.0.2.22',
        host: {
          login: {},
          address: '192.0.2.22',
          machineId: `machine-of-${name}`,
          onRemove: 'keep',
          membership: 'joining',
        },
      },
    ],
    addons: {},
    bootstrapped: false,
  }
  const view = { ...newView(rack), generation: generationOf(inventory) }
  return withHost(view, name, (host) => ({
    ...host,
    traces: { ...host.traces, caHash: authority, hasCaKey: true, hasAdminConf: true },
  }))
}

describe('an authority', () => {
  test('is not made a second time where any host shows one, a worker too (rke 1446)', () => {
    const view = withHost(newView(rack), 'worker-1', (host) => ({
      ...host,
      traces: { ...host.traces, caHash: another },
    }))
    expect(findings(view)).toEqual([
      `error: worker-1 shows a cluster (the authority ${another}), and the state knows none: no second authority is made`,
    ])
  })

  test('is begun again on the host where that did not end, and nowhere else', () => {
    const { changes, findings: found } = planApply(begunOn('cp-2'), { now })
    expect(found).toEqual([])
    const nodes = changes.filter(({ key }) => key.startsWith('node/')).map(({ key }) => key)
    expect(nodes).toEqual(['node/cp-2', 'node/cp-1', 'node/cp-3', 'node/worker-1'])
    expect(changes.find(({ key }) => key === 'node/cp-2')?.reason).toContain('did not end')
  })

  test('is kept where its etcd has other members', () => {
    const cluster = {
      through: 'cp-2',
      caHash: authority,
      configuration: undefined,
      kubeletConfiguration: undefined,
      nodes: [],
      members: [memberOf('cp-2'), memberOf('cp-9')],
    }
    expect(findings({ ...begunOn('cp-2'), cluster })).toContainEqual(
      expect.stringContaining('etcd there has 1 more members: it is not reset'),
    )
  })

  test('of another cluster is refused, on a host and behind the endpoint (k0s 4415)', () => {
    const ofHost = withHost(running(), 'worker-1', (host) => ({
      ...host,
      traces: { ...host.traces, caHash: another },
    }))
    expect(findings(ofHost)).toEqual([
      `error: worker-1 is of another cluster: its authority is ${another}`,
    ])
    const ofCluster = withCluster(running(), (cluster) => ({ ...cluster, caHash: another }))
    expect(findings(ofCluster)).toEqual([
      `error: the cluster that cp-1 shows has the authority ${another}, and that of rack is ${authority}`,
    ])
  })
})

describe('hosts', () => {
  test('must all be reached before a cluster begins, and later are left alone while they are not', () => {
    expect(findings(withUnreached(newView(rack), 'worker-1'))).toEqual([
      expect.stringMatching(/^error: worker-1 is not reached/),
    ])
    const plan = planApply(withUnreached(running(), 'worker-1'), { now })
    expect(plan.changes).toEqual([])
    expect(plan.findings.map(({ severity }) => severity)).toEqual(['warning'])
  })

  test('with one machine id are one host', () => {
    const view = withHost(newView(rack), 'cp-2', (host) => ({
      ...host,
      machineId: 'machine-of-cp-1',
    }))
    expect(findings(view)).toEqual([
      'error: cp-1 and cp-2 have one machine id: they are one host, or clones of one disk',
    ])
  })

  test('are the machines that the state knows, unless one is replaced by name', () => {
    const view = withHost(running(), 'worker-1', (host) => ({ ...host, machineId: 'another' }))
    expect(findings(view)).toEqual([
      expect.stringMatching(/^error: another machine is called worker-1/),
    ])
    expect(findings(view, ['worker-1'])).toEqual([])
  })

  test('show the key that was recorded', () => {
    const view = running()
    const look = view.hosts.get('cp-2')
    if (look?.kind !== 'seen') throw new Error('cp-2 was not seen')
    const hosts = new Map([...view.hosts, ['cp-2', { ...look, hostKey: 'ssh-ed25519 other' }]])
    expect(findings({ ...view, hosts })).toEqual([
      expect.stringMatching(/^error: cp-2 shows another host key/),
    ])
  })

  test('whose clock is off are not changed', () => {
    const slow = (view: HostsView) =>
      withHost(view, 'worker-1', (host) => ({ ...host, clockAheadMs: -2_500 }))
    expect(findings(slow(running()))).toEqual(['warning: the clock of worker-1 is 2.5 s behind'])
    expect(findings(slow(newView(rack)))).toEqual(['error: the clock of worker-1 is 2.5 s behind'])
  })

  test('whose checks nobody could see are left as they are, and named (kubeone 1301)', () => {
    const view = withHost(running(), 'worker-1', (host) => ({
      ...host,
      evidence: host.evidence.map((one) => ({ ...one, state: 'unknown', seen: 'timed out' })),
    }))
    const plan = planApply(view, { now })
    expect(plan.changes).toEqual([])
    expect(plan.findings.map(({ severity }) => severity)).toEqual(['warning', 'warning', 'warning'])
  })

  test('that only people can prepare are refused', () => {
    const view = withHost(newView(rack), 'worker-1', (host) => ({
      ...host,
      evidence: [
        ...host.evidence,
        {
          at: now,
          host: host.name,
          step: 'os_ready',
          check: 'cgroups',
          words: 'the host has cgroup v2',
          state: 'failed',
          seen: '/sys/fs/cgroup is tmpfs',
        },
      ],
    }))
    expect(findings(view)).toEqual([
      'error: worker-1: it is not so that the host has cgroup v2 (cgroups): /sys/fs/cgroup is tmpfs',
    ])
  })
})

describe('etcd', () => {
  const unhealthy = (view: HostsView, name: string) =>
    withCluster(view, (cluster) => ({
      ...cluster,
      nodes: cluster.nodes.map((node) => (node.name === name ? { ...node, isReady: false } : node)),
      members: cluster.members.map((one) =>
        one.name === name ? { ...one, isHealthy: false } : one,
      ),
    }))

  test('loses members of no host before another one joins (kubeone 3577, CAPI 13221)', () => {
    const view = withCluster(
      withSpec(running(), rackOf(['cp-1', 'cp-2', 'cp-3', 'cp-4', 'cp-5'], ['worker-1'])),
      (cluster) => ({
        ...cluster,
        members: [
          ...cluster.members,
          memberOf('', { id: '5', isLearner: true }),
          memberOf('gone', { id: '6', isHealthy: false }),
        ],
      }),
    )
    const { changes } = planApply(view, { now })
    expect(changes.find(({ key }) => key === 'etcd/rack')?.fields.map(({ path }) => path)).toEqual([
      'strays.5',
      'strays.6',
    ])
    expect(changes.find(({ key }) => key === 'node/cp-4')?.needs).toContain('etcd/rack')
  })

  test('keeps a member of no host that answers', () => {
    const view = withCluster(running(), (cluster) => ({
      ...cluster,
      members: [...cluster.members, memberOf('theirs', { id: '7' })],
    }))
    expect(planApply(view, { now }).changes).toEqual([])
    expect(findings(view)).toContainEqual(
      'error: etcd has a member 7 (theirs) of no host that is known, and it answers',
    )
  })

  test('has a member of each control plane, or that is an error (kubeone 1247)', () => {
    const view = withCluster(running(), (cluster) => ({
      ...cluster,
      members: cluster.members.filter(({ name }) => name !== 'cp-3'),
    }))
    expect(findings(view)).toContainEqual(
      'error: cp-3 is a control plane, and etcd has no member of it',
    )
    expect(findings(view, ['cp-3']).filter((text) => text.startsWith('error'))).toEqual([])
  })

  test('lets no living member go while another one is down, and a dead one at any time', () => {
    const five = rackOf(['cp-1', 'cp-2', 'cp-3', 'cp-4', 'cp-5'])
    const without = (...gone: string[]): HostsSpec => ({
      ...five,
      hosts: five.hosts.filter(({ name }) => !gone.includes(name)),
    })
    const down = unhealthy(withUnreached(runningView(five), 'cp-5'), 'cp-5')
    const errors = (view: HostsView) => findings(view).filter((text) => text.startsWith('error'))
    expect(errors(withSpec(down, without('cp-3', 'cp-4')))).toEqual([
      'error: delete of cp-4 would take a member from etcd while cp-5 is down',
    ])
    expect(errors(withSpec(down, without('cp-5', 'cp-4')))).toEqual([])
  })

  test('takes nobody in while a member is down that stays', () => {
    const view = withSpec(
      unhealthy(running(), 'cp-2'),
      rackOf(['cp-1', 'cp-2', 'cp-3', 'cp-4', 'cp-5'], ['worker-1']),
    )
    expect(findings(view)).toContainEqual('error: cp-4 cannot join etcd while cp-2 is down')
  })

  test('never loses its only member', () => {
    const one = rackOf(['cp-1'], ['worker-1'])
    expect(findings(runningView(one), ['cp-1'])).toContainEqual(
      expect.stringContaining('the only member of etcd'),
    )
  })

  test('has no special member: the first control plane is replaced as any other (kubespray 13516)', () => {
    const { changes, findings: found } = planApply(running(), { now, replace: ['cp-1'] })
    expect(found).toEqual([])
    expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual([
      'replace host/cp-1',
      'replace node/cp-1',
      'create kube-vip/cp-1',
    ])
  })
})

describe('a cluster', () => {
  test('keeps what it was born with', () => {
    const spec: HostsSpec = {
      ...rack,
      network: { ...rack.network, podRange: '10.99.0.0/16' },
      kubeadm: {
        ...rack.kubeadm,
        endpoint: { type: 'host', host: 'api.example.com', port: 6443 },
      },
    }
    expect(findings(withSpec(running(), spec))).toEqual([
      expect.stringMatching(/^error: kubeadm.endpoint of the running cluster is 192.0.2.10:6443/),
      expect.stringMatching(/^error: network.podRange of the running cluster is 10.244.0.0\/16/),
    ])
  })

  test('that cannot be asked is left as it is', () => {
    const view = { ...running(), cluster: undefined, unasked: 'timed out' }
    expect(planApply(view, { now }).changes).toEqual([])
    expect(findings(view)).toEqual([
      expect.stringMatching(/^warning: the cluster could not be asked/),
    ])
    const grown = withSpec(view, rackOf(['cp-1', 'cp-2', 'cp-3'], ['worker-1', 'worker-2']))
    expect(findings(grown)).toEqual([
      expect.stringMatching(/^error: the cluster could not be asked/),
    ])
  })

  test('has one holder of the virtual IP (kube-vip 1786)', () => {
    const view = withHost(running(), 'cp-3', (host) => ({
      ...host,
      traces: { ...host.traces, holdsVip: true },
    }))
    expect(findings(view)).toEqual([
      'warning: the virtual IP 192.0.2.10 is on cp-1 and cp-3 at once',
    ])
  })

  test('reports what ends in a month and nothing renews: authorities, and certificates of a cluster that is not there', () => {
    const traces = (of: 'certificatesEnd' | 'authoritiesEnd', days: number) =>
      withHost(running(), 'cp-2', (host) => ({
        ...host,
        traces: { ...host.traces, [of]: now + days * 24 * 3_600_000 },
      }))
    expect(findings(traces('authoritiesEnd', 31))).toEqual([])
    expect(findings(traces('authoritiesEnd', 29))).toEqual([
      'warning: the first authority of cp-2 ends on 2026-12-29',
    ])
    expect(findings(traces('certificatesEnd', -1))).toEqual([])
    expect(findings({ ...traces('certificatesEnd', -1), cluster: undefined })).toContainEqual(
      'warning: the first certificate of cp-2 ended on 2026-11-29, and the cluster cannot be asked',
    )
  })

  test('leaves nodes of others alone, and names them', () => {
    const view = withCluster(running(), (cluster) => ({
      ...cluster,
      nodes: cluster.nodes.flatMap((node) =>
        node.name === 'worker-1' ? [node, { ...node, name: 'theirs' }] : [node],
      ),
    }))
    expect(planApply(view, { now }).changes).toEqual([])
    expect(findings(view)).toEqual([
      'warning: the cluster has a node theirs, which neither hosts nor the state knows: it is left alone',
    ])
  })

  test('begins beside another one of its branch only where the file names that', () => {
    const view = { ...newView(rack), neighbours: ['shelf'] }
    expect(findings(view)).toEqual([
      expect.stringMatching(/^error: the branch hcloud-talos has no cluster rack, but shelf/),
    ])
    const spec = { ...rack, state: { ...rack.state, alongside: ['shelf'] } }
    expect(findings({ ...newView(spec), neighbours: ['shelf'] })).toEqual([])
  })
})
