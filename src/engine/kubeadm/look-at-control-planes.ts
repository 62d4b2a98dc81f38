import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import type { HostsSession } from '../../run/kubeadm/hosts-session.ts'
import { knownHosts } from '../../run/kubeadm/known-hosts.ts'
import { lookAtEtcd, type SeenEtcd } from './etcd-source.ts'

/** Looks at the etcd of these control planes at once, in this order; changes nothing. */
export function lookAtControlPlanes(
  session: HostsSession,
  { spec, generation }: HostsView,
  names: readonly string[],
): Promise<SeenEtcd[]> {
  const known = knownHosts(spec, generation?.inventory)
  return Promise.all(
    names.map(async (name) => {
      const host = known.find((one) => one.name === name)
      if (!host) throw new Error(`${name} is no host of the file or of the state`)
      return lookAtEtcd(name, await session.hosts.to(host))
    }),
  )
}
