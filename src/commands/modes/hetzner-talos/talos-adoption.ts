import type { ClusterView } from '../../../planner/hetzner-talos/cluster-view.ts'
import type { ClusterSession } from '../../../run/hetzner-talos/cluster-session.ts'
import type { ClusterAdoption } from '../../../run/mode/cluster-adoption.ts'

/** Servers of this mode are created by it, and its secrets are made before them. */
export const talosAdoption: ClusterAdoption<ClusterSession, ClusterView> = {
  isPossible: false,
  because: 'a cluster of Talos on Hetzner is not adopted: it begins with an apply of its file',
  hint: 'Adopt clusters that kubeadm made on hosts that exist: their file has hosts and kubeadm in place of hetzner and talos. If the state of this cluster is lost, run `hcloud-talos recover`.',
}
