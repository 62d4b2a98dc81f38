import {
  type FoundCluster,
  knownNode,
  runningRole,
  standingOf,
} from '../../kubeadm/cluster/found-cluster.ts'
import type { SeenHost } from '../../kubeadm/host/seen-host.ts'
import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { compareHosts } from './compare-hosts.ts'
import { byName, foundIn } from './found-in-view.ts'
import { guardAuthority } from './guard-authority.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

/** The control planes of a cluster whose etcd goes back to a snapshot, by name. */
export interface RestoredHosts {
  /** Reached, with what is left of a control plane of this cluster, also where the file does not name them any more. */
  readonly there: readonly string[]
  /** Of these, those that the file names and on which etcd may begin: they have the keys of the authority. */
  readonly beginning: readonly string[]
  /** Named by the file, members as the state has it, and not reached: nobody knows what they hold. */
  readonly silent: readonly string[]
  /** Members as the state has it that are bare now, or another machine: they are prepared and join as one that is new. */
  readonly bare: readonly string[]
  /** All that join again once etcd has begun on one of them: that one is among them. */
  readonly joining: readonly string[]
}

/** Sorts the control planes of a view. Pure. */
export function restoredHosts(view: HostsView): RestoredHosts {
  const found = foundIn(view)
  const { spec } = view
  const known = (found.inventory?.nodes ?? []).filter(({ host }) => host?.membership !== undefined)
  const names = known
    .filter(({ name }) => runningRole(found, name) === 'control-plane')
    .map(({ name }) => name)
    .toSorted(byName)
  const wanted = new Set(
    spec.hosts.flatMap(({ name, role }) => (role === 'control-plane' ? [name] : [])),
  )
  const there = names.filter((name) => isThere(found, name))
  const ofFile = names.filter((name) => wanted.has(name))
  const reached = ofFile.filter((name) => found.hosts.has(name))
  const bare = reached.filter((name) => isBare(found, name))
  return {
    there,
    beginning: there.filter(
      (name) =>
        wanted.has(name) &&
        !bare.includes(name) &&
        knownNode(found, name)?.host?.membership === 'member',
    ),
    silent: ofFile.filter((name) => !found.hosts.has(name)),
    bare,
    joining: reached,
  }
}

/** By its mark and its authority: what is of another cluster is left alone. */
function isThere(found: FoundCluster, name: string): boolean {
  const host = found.hosts.get(name)
  if (host?.mark === undefined || host.mark.hasLeft) return false
  if (host.mark.uid !== found.inventory?.uid) return false
  const { caHash, hasEtcdData, hasAdminConf } = host.traces
  if (caHash !== undefined && caHash !== found.inventory?.authority) return false
  return hasEtcdData || hasAdminConf
}

/** Whether nothing can begin on it, and it has to join from the start. */
function isBare(found: FoundCluster, name: string): boolean {
  const host = found.hosts.get(name)
  if (host === undefined) return false
  return standingOf(found, name) === 'lost' || !hasKeys(found, host)
}

function hasKeys({ inventory }: FoundCluster, { traces }: SeenHost): boolean {
  return (
    traces.hasCaKey &&
    traces.hasAdminConf &&
    traces.hasKubeletConf &&
    traces.caHash !== undefined &&
    traces.caHash === inventory?.authority
  )
}

/** What of the cluster is bare and joins once etcd has begun, and what forbids the restore. Pure. */
export function planRestore(view: HostsView): {
  readonly creates: readonly Change[]
  readonly findings: readonly Finding[]
} {
  const { bare, beginning, silent } = restoredHosts(view)
  const creates = compareHosts(view).changes.filter(({ after }) => {
    if (after === undefined) return false
    return (after.kind === 'host' || after.kind === 'node') && bare.includes(after.name)
  })
  const findings = [
    ...guardAuthority(view),
    // One that does not answer may have them: that is asked about first.
    ...(beginning.length === 0 && silent.length === 0 ? [withoutKeys(view)] : []),
  ]
  return { creates, findings }
}

/** The keys of the authority are nowhere else: a snapshot of etcd has none of them, and neither has the state. */
function withoutKeys(view: HostsView): Finding {
  const found = foundIn(view)
  const names = view.spec.hosts
    .filter(({ name }) => knownNode(found, name) !== undefined && found.hosts.has(name))
    .filter(({ role }) => role === 'control-plane')
    .map(({ name }) => name)
  return hostsFinding(
    'error',
    `no control plane has the keys of the cluster's authority any more (${names.join(', ') || 'none was reached'}): they were on the control planes alone, neither the snapshot nor the state holds them, and what the snapshot holds can be served by no other authority`,
    'Put a copy of /etc/kubernetes of a control plane (pki, manifests and the .conf files) back on it if you have one, then run again. Without one, begin a new cluster with another clusterName, and take your objects into it.',
  )
}
