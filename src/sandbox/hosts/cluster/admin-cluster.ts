import type { HostCluster } from './host-cluster.ts'
import { KubeadmRefused } from './kubeadm-file.ts'
import type { KubeadmRun } from './kubeadm-run.ts'

/** The cluster that a control plane's `admin.conf` leads to. */
export function clusterOf({ node, folder }: KubeadmRun): HostCluster {
  const { cluster } = node
  if (!folder.has('etc/kubernetes/admin.conf') || cluster === undefined) {
    throw new KubeadmRefused(
      'failed to load admin kubeconfig: open /etc/kubernetes/admin.conf: no such file or directory',
    )
  }
  if (!cluster.isAvailable) {
    throw new KubeadmRefused('Get "https://api": dial tcp: connect: connection refused')
  }
  return cluster
}
