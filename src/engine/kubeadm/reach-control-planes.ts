import { foundIn } from '../../planner/kubeadm/found-in-view.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { HostsSession } from '../../run/kubeadm/hosts-session.ts'
import { reachedBy } from '../../run/kubeadm/observe-hosts.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { ClusterHosts } from './cluster-hosts.ts'

/** A way into the cluster through the control planes that it has and that were reached. Dispose of it in the end. */
export function reachControlPlanes(
  context: RunContext,
  { session, view, hosts }: { session: HostsSession; view: HostsView; hosts: ClusterHosts },
): HostsReach {
  const reach = new HostsReach(context)
  const reached = foundIn(view).hosts
  const controlPlanes = view.cluster?.nodes.filter(({ isControlPlane }) => isControlPlane) ?? []
  reach.use(
    controlPlanes
      .filter(({ name }) => reached.has(name))
      .map(({ name }) => reachedBy(session, hosts.known(name))),
  )
  return reach
}
