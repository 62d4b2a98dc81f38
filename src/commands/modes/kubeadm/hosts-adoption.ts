import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { findForeignCluster } from '../../../run/kubeadm/find-foreign-cluster.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import type { ClusterAdoption } from '../../../run/mode/cluster-adoption.ts'

/** A cluster that somebody made with kubeadm on these hosts. */
export const hostsAdoption: ClusterAdoption<HostsSession, HostsView> = {
  isPossible: true,
  find: findForeignCluster,
}
