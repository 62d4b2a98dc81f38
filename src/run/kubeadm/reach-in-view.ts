import { foundIn } from '../../planner/kubeadm/found-in-view.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { HostsReach } from './hosts-reach.ts'
import type { HostsSession } from './hosts-session.ts'
import { knownHosts } from './known-hosts.ts'
import { reachedBy } from './observe-hosts.ts'

/** A way into a cluster by those of its control planes whose hosts were reached. Dispose of it in the end. */
export function reachInView(session: HostsSession, view: HostsView): HostsReach {
  const reach = new HostsReach({ ...session.tools, signal: session.signal })
  const { hosts, cluster } = foundIn(view)
  const controlPlanes = new Set(
    (cluster?.nodes ?? []).flatMap(({ name, isControlPlane }) => (isControlPlane ? [name] : [])),
  )
  reach.use(
    knownHosts(view.spec, view.generation?.inventory)
      .filter(({ name }) => controlPlanes.has(name) && hosts.has(name))
      .map((host) => reachedBy(session, host)),
  )
  return reach
}
