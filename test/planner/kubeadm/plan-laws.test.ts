import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SeenCluster } from '../../../src/kubeadm/cluster/seen-cluster.ts'
import { hasErrors } from '../../../src/lib/finding.ts'
import type { Change } from '../../../src/plan/change.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import { hostNodes } from '../../../src/planner/kubeadm/host-nodes.ts'
import type { HostsView } from '../../../src/planner/kubeadm/hosts-view.ts'
import { planApply } from '../../../src/planner/kubeadm/plan-apply.ts'
import type { HostsSpec } from '../../../src/spec/hosts/hosts-spec.ts'
import {
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

const names = {
  controlPlanes: ['cp-1', 'cp-2', 'cp-3', 'cp-4', 'cp-5', 'cp-10'],
  workers: ['worker-1', 'worker-2', 'worker-3', 'worker-10'],
}

/** Files of one, three or five control planes, and any workers. */
const racks = fc
  .tuple(
    fc.constantFrom(1, 3, 5),
    fc.shuffledSubarray(names.controlPlanes, { minLength: 5 }),
    fc.subarray(names.workers),
    fc.boolean(),
  )
  .map(([count, controlPlanes, workers, isLabelled]): HostsSpec => {
    const spec = rackOf(controlPlanes.slice(0, count), workers)
    return isLabelled
      ? { ...spec, hosts: spec.hosts.map((host) => ({ ...host, labels: { zone: 'a' } })) }
      : spec
  })

/** What may have happened to a cluster since its last apply. */
const mishaps = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'unreached',
      'unhealthy member',
      'stray member',
      'swap',
      'reset',
      'another machine',
      'not Ready',
      'no node',
      'other labels',
      'certificates end',
      'other arguments',
    ),
    at: fc.nat(10),
  }),
  { maxLength: 3 },
)
type Mishap = Parameters<Parameters<typeof mishaps.map>[0]>[0][number]

function happened(view: HostsView, { kind, at }: Mishap): HostsView {
  const all = [...view.hosts.keys()]
  const name = all[at % all.length] ?? ''
  const isSeen = view.hosts.get(name)?.kind === 'seen'
  const nodes = (change: (node: SeenCluster['nodes'][number]) => SeenCluster['nodes']) =>
    withCluster(view, (cluster) => ({
      ...cluster,
      nodes: cluster.nodes.flatMap((node) => (node.name === name ? change(node) : [node])),
    }))
  switch (kind) {
    case 'unreached':
      return withUnreached(view, name)
    case 'unhealthy member':
      return withCluster(view, (cluster) => ({
        ...cluster,
        members: cluster.members.map((one) =>
          one.name === name ? { ...one, isHealthy: false } : one,
        ),
      }))
    case 'stray member':
      return withCluster(view, (cluster) => ({
        ...cluster,
        members: [...cluster.members, memberOf('', { id: `stray-${at}`, isLearner: at % 2 === 0 })],
      }))
    case 'swap':
      if (!isSeen) return view
      return withHost(view, name, (host) => ({
        ...host,
        evidence: host.evidence.map((one) =>
          one.check === 'swap' ? { ...one, state: 'failed', seen: 'in use' } : one,
        ),
      }))
    case 'reset':
      if (!isSeen) return view
      return withHost(view, name, (host) => ({
        ...host,
        traces: { ...host.traces, hasKubeletConf: false, caHash: undefined },
      }))
    case 'another machine':
      return isSeen ? withHost(view, name, (host) => ({ ...host, machineId: `other-${at}` })) : view
    case 'certificates end':
      if (!isSeen) return view
      return withHost(view, name, (host) => ({
        ...host,
        traces: { ...host.traces, certificatesEnd: now + at * 24 * 3_600_000 },
      }))
    case 'other arguments':
      if (!isSeen) return view
      return withHost(view, name, ({ traces, ...host }) => {
        const kubelet = { ...traces.kubelet, flags: { ...traces.kubelet.flags, v: String(at) } }
        return { ...host, traces: { ...traces, kubelet } }
      })
    case 'not Ready':
      return nodes((node) => [{ ...node, isReady: false }])
    case 'no node':
      return nodes(() => [])
    case 'other labels':
      return nodes((node) => [{ ...node, labels: { ...node.labels, zone: 'z', theirs: 'x' } }])
  }
}

/** A cluster that was made by one file and is asked for by another, after some mishaps. */
const views = fc
  .tuple(racks, racks, mishaps)
  .map(([made, wanted, all]) => withSpec(all.reduce(happened, runningView(made)), wanted))

const plan = (view: HostsView, replace: readonly string[] = []) => planApply(view, { now, replace })

function reordered(view: HostsView): HostsView {
  const { cluster, generation, spec } = view
  return {
    ...view,
    nodes: hostNodes(spec, generation?.inventory).toReversed(),
    hosts: new Map([...view.hosts].toReversed()),
    cluster: cluster && {
      ...cluster,
      nodes: cluster.nodes.toReversed(),
      members: cluster.members.toReversed(),
    },
    generation: generation && {
      ...generation,
      inventory: {
        ...generation.inventory,
        nodes: generation.inventory.nodes.toReversed(),
      },
    },
  }
}

test('the plan of what was brought about is empty, and nothing is found', () => {
  fc.assert(
    fc.property(racks, (spec) => {
      const { changes, waiting, findings } = plan(runningView(spec))
      expect([changes, waiting, findings]).toEqual([[], [], []])
    }),
    { numRuns: 30 },
  )
})

test('the order of hosts, nodes and members says nothing, and neither does a second look', () => {
  fc.assert(
    fc.property(fc.oneof(views, racks.map(newView)), (view) => {
      const first = plan(view)
      const messages = ({ findings }: Plan) => findings.map(({ message }) => message).sort()
      for (const other of [plan(view), plan(reordered(view))]) {
        expect(other.digest).toBe(first.digest)
        expect(messages(other)).toEqual(messages(first))
      }
    }),
    { numRuns: 60 },
  )
})

test('on a host that was not reached nothing is changed but that its dead node leaves', () => {
  fc.assert(
    fc.property(views, (view) => {
      const wanted = new Set(view.spec.hosts.map(({ name }) => name))
      const touched = plan(view).changes.filter(
        ({ before, after }) => view.hosts.get((after ?? before)?.name ?? '')?.kind === 'unreached',
      )
      for (const { key, action, before } of touched) {
        const name = before?.name ?? ''
        const isReady = view.cluster?.nodes.some((node) => node.name === name && node.isReady)
        expect([action, key, wanted.has(name), isReady ?? false]).toEqual([
          'delete',
          `node/${name}`,
          false,
          false,
        ])
      }
    }),
  )
})

/** Whether one change is made after the other has ended, whatever else happens. */
function follows(changes: readonly Change[]): (later: Change, earlier: Change) => boolean {
  const byKey = new Map<string, Change>(changes.map((change) => [change.key, change]))
  const reach = (change: Change): Set<string> =>
    new Set(
      change.needs.flatMap((key) => {
        const needed = byKey.get(key)
        return needed ? [key, ...reach(needed)] : []
      }),
    )
  return (later, earlier) => reach(later).has(earlier.key)
}

/** Makes a member, takes one, or stops one for a while. */
function touchesEtcd({ key, action, risk, after, before }: Change): boolean {
  if (![after, before].some((record) => record?.spec['role'] === 'control-plane')) return false
  const isOfNode = key.startsWith('node/')
  if (action === 'update') return !['live', 'additive'].includes(risk)
  return isOfNode || action === 'replace'
}

test('what touches control planes is one line', () => {
  fc.assert(
    fc.property(fc.oneof(views, racks.map(newView)), (view) => {
      const { changes } = plan(view)
      const isAfter = follows(changes)
      const line = changes.filter(touchesEtcd)
      for (const [index, change] of line.entries()) {
        const next = line[index + 1]
        if (next)
          expect([next.key, change.key, isAfter(next, change)]).toEqual([
            next.key,
            change.key,
            true,
          ])
      }
    }),
  )
})

/** The members that vote, each with whether it answers. */
function votersOf(cluster: SeenCluster): Map<string, boolean> {
  return new Map(
    cluster.members
      .filter(({ isLearner }) => !isLearner)
      .map(({ id, name, isHealthy }) => [name || id, name !== '' && isHealthy !== false]),
  )
}

const isOfNode = ({ key }: Change) => key.startsWith('node/')

function takes({ action, before, key }: Change): boolean {
  const leaves = action === 'replace' || (action === 'delete' && key.startsWith('node/'))
  return leaves && before?.spec['role'] === 'control-plane'
}

/** Whether those that stay are a majority by themselves while this one is taken. */
function staysHealthy(members: ReadonlyMap<string, boolean>, name: string): boolean {
  const others = [...members].filter(([other]) => other !== name)
  return 2 * others.filter(([, isUp]) => isUp).length > others.length
}

function carriedOut(members: Map<string, boolean>, change: Change): void {
  const { key, action, before, after } = change
  const name = (after ?? before)?.name ?? ''
  if (takes(change)) members.delete(name)
  if (key === 'etcd/rack') {
    for (const one of [...members.keys()]) if (one.startsWith('stray')) members.delete(one)
  }
  const joins = isOfNode(change) && action !== 'delete' && action !== 'update'
  if (joins && after?.spec['role'] === 'control-plane') members.set(name, true)
}

test('no plan that is not refused takes a member where the others are no majority', () => {
  const replaced = fc.subarray(names.controlPlanes, { maxLength: 1 })
  fc.assert(
    fc.property(views, replaced, (view, replace) => {
      const made = plan(view, replace)
      if (hasErrors(made.findings) || !view.cluster) return
      const members = votersOf(view.cluster)
      for (const change of made.changes) {
        const name = change.before?.name ?? ''
        if (takes(change) && members.has(name)) {
          expect([change.key, staysHealthy(members, name)]).toEqual([change.key, true])
        }
        carriedOut(members, change)
      }
    }),
    { numRuns: 100 },
  )
})
