import { compareKubeadm } from '../../kubeadm/diff.ts'
import type { KubeadmRequest } from '../../kubeadm/kinds/kubeadm-kind.ts'
import type { Change } from '../../plan/change.ts'
import type { ClusterRecord } from '../../plan/record.ts'
import { registerNodes } from '../register-nodes.ts'
import { compareVersions } from './compare-versions.ts'
import { firstControlPlane, foundIn, replacedHosts } from './found-in-view.ts'
import type { HostsView } from './hosts-view.ts'
import { orderHosts } from './order-hosts.ts'
import { unregisteredNodes } from './unregistered-nodes.ts'

interface HostsComparison {
  /** What an apply would do. */
  readonly changes: readonly Change[]
  /** What an upgrade would do, in its order. */
  readonly versions: readonly Change[]
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
}

/**
 * Every difference between a cluster on hosts and its spec. Versions are apart: an apply leaves each node at those that
 * it runs. Pure.
 */
export function compareHosts(view: HostsView, replace: readonly string[] = []): HostsComparison {
  const request = requestOf(view, replace)
  const { changes, desired, live } = compareKubeadm(request)
  const registered = registerNodes(changes, unregisteredNodes(view), { desired, live })
  return {
    changes: orderHosts(registered, {
      isRunning: request.first === undefined,
      first: request.first,
      members: view.cluster?.members.length ?? 0,
      maxUnavailable: view.spec.upgrade.maxUnavailable,
    }),
    versions: compareVersions(request),
    desired,
    live,
  }
}

function requestOf(view: HostsView, replace: readonly string[]): KubeadmRequest {
  return {
    spec: view.spec,
    found: foundIn(view),
    goal: 'running',
    first: firstControlPlane(view),
    replaced: replacedHosts(view, replace),
  }
}
