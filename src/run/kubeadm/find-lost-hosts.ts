import { seenNode } from '../../kubeadm/cluster/found-cluster.ts'
import type { Inventory } from '../../plan/inventory.ts'
import { byName, foundIn } from '../../planner/kubeadm/found-in-view.ts'
import { hostNodes } from '../../planner/kubeadm/host-nodes.ts'
import type { HostLook, HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { recordHosts } from '../../planner/kubeadm/record-hosts.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import type { LostCluster } from '../mode/cluster-recovery.ts'
import { recoveryImpossible } from '../recovery-impossible.ts'
import { isMark } from './cluster-marks.ts'
import type { HostsSession } from './hosts-session.ts'
import { knownHosts } from './known-hosts.ts'
import { lookAtHosts, seeCluster } from './observe-hosts.ts'

/**
 * A cluster whose state is lost, by the marks of its hosts and by itself: all hosts of the file are reached, those that
 * are marked name one cluster and have one authority, and the cluster answers. Nothing is guessed. Throws
 * `recovery-impossible` with who says what.
 */
export async function findLostHosts(session: HostsSession): Promise<LostCluster<HostsView>> {
  const { spec } = session
  const { clusterName } = spec
  const known = knownHosts(spec, undefined)
  const looks = await lookAtHosts(session, known, undefined)
  requireReached(looks)
  const uid = uidIn(spec, looks)
  requireOneAuthority(looks)
  const empty: Inventory = { clusterName, uid, nodes: [], addons: {}, bootstrapped: true }
  const { cluster, unasked } = await seeCluster(session, { known, looks, inventory: empty })
  if (cluster?.configuration === undefined) {
    throw recoveryImpossible(
      `the cluster of these hosts cannot be asked: ${unasked ?? 'kubeadm has not ended making it'}`,
      'Bring its control planes back, so that etcd and the API answer, and run again.',
    )
  }
  const view: HostsView = {
    spec,
    generation: undefined,
    hosts: looks,
    cluster,
    nodes: hostNodes(spec, undefined),
  }
  requireNamed(view)
  return { uid, view, inventory: withRunningRoles(recordHosts(empty, view), view) }
}

/** What a host is of that nobody can look at is not known, and an inventory without it would say that it is of nothing. */
function requireReached(looks: ReadonlyMap<string, HostLook>): void {
  const away = [...looks.values()].flatMap((look) =>
    look.kind === 'unreached' ? [`${look.name} (${look.because})`] : [],
  )
  if (away.length === 0) return
  throw recoveryImpossible(
    `hosts of the file are not reached: ${away.join(', ')}`,
    'Bring them back; take one that is gone for good out of hosts.',
  )
}

/** The uid that every host which is marked names. */
function uidIn({ clusterName }: HostsSpec, looks: ReadonlyMap<string, HostLook>): string {
  const marks = [...looks.values()].flatMap((look) =>
    look.kind === 'seen' && isMark(look.host.mark, undefined)
      ? [{ name: look.host.name, mark: look.host.mark }]
      : [],
  )
  const [first] = marks
  if (first === undefined) {
    throw recoveryImpossible(
      `no host of the file is marked as one of a cluster: there is nothing to recover`,
      'Check hosts in the cluster file; to take over a cluster that was made by other means, run `hcloud-talos adopt`.',
    )
  }
  const isSame = marks.every(({ mark }) => mark.uid === first.mark.uid)
  if (isSame && first.mark.cluster === clusterName) return first.mark.uid
  const reports = marks
    .toSorted((a, b) => byName(a.name, b.name))
    .map(({ name, mark }) => `${name} is of ${mark.cluster} (uid ${mark.uid})`)
  throw recoveryImpossible(
    `the hosts are not all of one cluster ${clusterName}: ${reports.join(', ')}`,
    'Take the hosts of others out of hosts, or write the name of their cluster as clusterName.',
  )
}

function requireOneAuthority(looks: ReadonlyMap<string, HostLook>): void {
  const reports = [...looks.values()].flatMap((look) =>
    look.kind === 'seen' &&
    isMark(look.host.mark, undefined) &&
    look.host.traces.caHash !== undefined
      ? [{ name: look.host.name, hash: look.host.traces.caHash }]
      : [],
  )
  if (new Set(reports.map(({ hash }) => hash)).size <= 1) return
  throw recoveryImpossible(
    `the hosts have more than one authority: ${reports.map(({ name, hash }) => `${name} has ${hash}`).join(', ')}`,
    'Take the hosts of the other cluster out of hosts, and run again.',
  )
}

/** A node that works and that the inventory would not have could be neither changed nor removed by the file. */
function requireNamed({ spec, cluster }: HostsView): void {
  const named = new Set(spec.hosts.map(({ name }) => name))
  const unnamed = (cluster?.nodes ?? [])
    .filter(({ name, isReady }) => isReady && !named.has(name))
    .map(({ name }) => name)
  if (unnamed.length === 0) return
  throw recoveryImpossible(
    `the cluster has nodes that are not in hosts: ${unnamed.join(', ')}`,
    'Add their hosts to the file, under these names.',
  )
}

/** As what each node runs, whatever the file asks for: another role is a change of the next plan. */
function withRunningRoles(inventory: Inventory, view: HostsView): Inventory {
  const found = foundIn(view)
  const nodes = inventory.nodes.map((node) => {
    const seen = seenNode(found, node.name)
    if (seen === undefined || seen.isControlPlane === (node.role === 'control-plane')) return node
    const role = seen.isControlPlane ? ('control-plane' as const) : ('worker' as const)
    return { ...node, role, pool: role }
  })
  return { ...inventory, nodes }
}
