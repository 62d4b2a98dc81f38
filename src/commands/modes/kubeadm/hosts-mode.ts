import { describeEndpoint, describeNodes } from '../../../planner/kubeadm/describe-cluster.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { type HostsSession, openHostsSession } from '../../../run/kubeadm/hosts-session.ts'
import type { ClusterLifecycle, ClusterMode } from '../../../run/mode/cluster-mode.ts'
import { hostsLife } from './hosts-life.ts'
import { hostsNodes } from './hosts-nodes.ts'
import { hostsProvider } from './hosts-provider.ts'

/**
 * kubeadm on hosts that exist, as far as it goes: a mode has more parts (keys, backup, recovery, health), and until it has
 * all of them it is in no table of modes.
 */
export const hostsMode: ClusterLifecycle<HostsSession, HostsView> &
  Pick<ClusterMode<HostsSession, HostsView>, 'description'> = {
  open: openHostsSession,
  machines: hostsProvider,
  nodes: hostsNodes,
  life: hostsLife,
  description: { endpoint: describeEndpoint, nodes: describeNodes },
}
