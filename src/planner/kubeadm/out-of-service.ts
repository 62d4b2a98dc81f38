import { runningRole, standingOf } from '../../kubeadm/cluster/found-cluster.ts'
import type { Change } from '../../plan/change.ts'
import { allInService, leftCordoned, type OutOfService } from '../out-of-service.ts'
import { foundIn } from './found-in-view.ts'
import type { HostsView } from './hosts-view.ts'

/** Nodes of hosts that are not in service when a run begins. Pure. */
export function outOfService(view: HostsView, changes: readonly Change[]): OutOfService {
  const { spec, generation, cluster } = view
  // Without a network no node is ever in service.
  const bringsNetwork = changes.some(
    ({ key, action }) => key === `addon/${spec.cni.type}` && action === 'create',
  )
  if (!generation?.inventory.bootstrapped || cluster === undefined || bringsNetwork) {
    return allInService
  }
  const away = workersAway(view)
  const cordoned = cluster.nodes.flatMap(({ name, isCordoned, cordonedBy }) =>
    isCordoned && cordonedBy !== undefined ? [[name, cordonedBy] as const] : [],
  )
  const known = new Set(generation.inventory.nodes.map(({ name }) => name))
  return { away, cordoned: leftCordoned(new Map(cordoned), { known, away, changes }) }
}

/** Workers whose host is not that node any more, or whose leaving was started: a plan makes them again or takes them away. */
function workersAway(view: HostsView): Set<string> {
  const found = foundIn(view)
  const names = (found.inventory?.nodes ?? []).map(({ name }) => name)
  return new Set(
    names.filter(
      (name) =>
        runningRole(found, name) === 'worker' &&
        ['lost', 'leaving'].includes(standingOf(found, name)),
    ),
  )
}

/** Workers that no plan should stop another one before: away, or cordoned by a run that ended early. Pure. */
export function workersToSeeFirst(view: HostsView): Set<string> {
  const { away, cordoned } = outOfService(view, [])
  return new Set([...away, ...cordoned.keys()])
}
