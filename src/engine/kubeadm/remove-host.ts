import type { Change } from '../../plan/change.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import type { ClusterHosts } from './cluster-hosts.ts'
import { type LeftAs, leaveHost } from './leave-host.ts'

/** Leaves a host of a cluster that goes as a whole: nobody is drained, and etcd ends with its last member. */
export async function removeHost(
  { before }: Change,
  { hosts, view }: { readonly hosts: ClusterHosts; readonly view: HostsView },
  step: (text: string) => void,
): Promise<void> {
  const name = before?.name ?? ''
  const leftAs = waysToLeave.find((way) => way === before?.spec['onRemove']) ?? 'keep'
  step(leftAs === 'keep' ? 'stopping its node' : 'resetting it')
  await leaveHost(await hosts.remote(name), leftAs, view.spec.kubeadm.timeoutMinutes.reset)
}

const waysToLeave: readonly LeftAs[] = ['keep', 'reset', 'purge']
