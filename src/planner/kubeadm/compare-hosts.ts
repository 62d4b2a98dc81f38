import { desireAddons } from '../../addons/desire.ts'
import { diffAddons } from '../../addons/diff.ts'
import { observeAddons } from '../../addons/observe.ts'
import { compareKubeadm } from '../../kubeadm/diff.ts'
import type { KubeadmRequest } from '../../kubeadm/kinds/kubeadm-kind.ts'
import type { Change } from '../../plan/change.ts'
import { unmintedUid } from '../../plan/plan.ts'
import type { ClusterRecord } from '../../plan/record.ts'
import { compareAddons } from '../compare-addons.ts'
import { registerNodes } from '../register-nodes.ts'
import { addonsOfHosts } from './addons-of-hosts.ts'
import { compareVersions } from './compare-versions.ts'
import { firstControlPlane, foundIn, replacedHosts } from './found-in-view.ts'
import type { HostsView } from './hosts-view.ts'
import { orderHosts } from './order-hosts.ts'
import { workersToSeeFirst } from './out-of-service.ts'
import { unregisteredNodes } from './unregistered-nodes.ts'

interface HostsComparison {
  /** What an apply would do. */
  readonly changes: readonly Change[]
  /** What an upgrade would do, in its order. */
  readonly versions: readonly Change[]
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
}

interface CompareOptions {
  readonly replace?: readonly string[] | undefined
  /** By which certificates are renewed, in milliseconds since the epoch; none is where absent. */
  readonly now?: number | undefined
}

/**
 * Every difference between a cluster on hosts and its spec. Versions are apart: an apply leaves each node at those that
 * it runs. Pure.
 */
export function compareHosts(view: HostsView, options: CompareOptions = {}): HostsComparison {
  const request = requestOf(view, options)
  const { changes, desired, live } = compareKubeadm(request)
  const registered = registerNodes(changes, unregisteredNodes(view), { desired, live })
  return {
    changes: orderHosts([...registered, ...changesOfAddons(view)], {
      isRunning: request.first === undefined,
      first: request.first,
      members: view.cluster?.members.length ?? 0,
      maxUnavailable: view.spec.upgrade.maxUnavailable,
      outOfService: workersToSeeFirst(view),
    }),
    versions: compareVersions(request),
    desired,
    live,
  }
}

function changesOfAddons(view: HostsView): Change[] {
  const inventory = view.generation?.inventory
  const uid = inventory?.uid ?? unmintedUid
  const records = {
    desired: desireAddons(view.spec, { uid }, addonsOfHosts),
    live: inventory ? observeAddons(inventory) : [],
  }
  return compareAddons(view, diffAddons(records.desired, records.live), records)
}

function requestOf(view: HostsView, { replace = [], now }: CompareOptions): KubeadmRequest {
  return {
    spec: view.spec,
    found: foundIn(view),
    goal: 'running',
    first: firstControlPlane(view),
    replaced: replacedHosts(view, replace),
    now,
  }
}
