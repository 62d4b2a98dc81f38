import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { flagAt } from '../../kubernetes/model/read-json.ts'
import { EtcdRefused } from '../../talos/etcd.ts'
import type { HostCluster } from './host-cluster.ts'
import { KubeadmRefused } from './kubeadm-file.ts'
import type { KubeadmRun } from './kubeadm-run.ts'

const kubeconfigs = [
  'admin',
  'super-admin',
  'kubelet',
  'bootstrap-kubelet',
  'controller-manager',
  'scheduler',
]

/**
 * `kubeadm reset`: ends well whatever it could not do, its member in etcd and what a network left on the host among it.
 * The node stays in the API.
 */
export async function kubeadmReset(kubeadm: KubeadmRun): Promise<void> {
  const { clusters, node, folder } = kubeadm
  const file = kubeadm.has('--config') ? await kubeadm.file() : undefined
  const isForced = kubeadm.has('--force', '-f') || flagAt(file?.get('ResetConfiguration'), 'force')
  if (!isForced) {
    kubeadm.print('[reset] Are you sure you want to proceed? [y/N]: ')
    throw new KubeadmRefused('error: aborted reset operation')
  }
  const { cluster, host } = node
  await clusters.acts.resets(node)
  await kubeadm.phase('reset')
  if (cluster) await leaveEtcd(kubeadm, cluster)
  await folder.remove('state/started/kubelet')
  await host.changeUnit('stop', 'kubelet')
  for (const name of [...node.containers.keys()]) node.stopContainer(name)
  for (const name of kubeconfigs) await folder.remove(`etc/kubernetes/${name}.conf`)
  for (const path of [
    'etc/kubernetes/manifests',
    'etc/kubernetes/pki',
    'var/lib/etcd',
    'var/lib/kubelet',
  ]) {
    await empty(kubeadm, path)
  }
  node.hasJoined = false
  await node.sync()
  kubeadm.print('The reset process does not clean CNI configuration.')
  if (cluster && clusters.nodes.every((one) => one.cluster !== cluster)) await clusters.end(cluster)
}

/** By the API and etcd of the others; it only warns where that fails. */
async function leaveEtcd(kubeadm: KubeadmRun, cluster: HostCluster): Promise<void> {
  const { node, clusters, folder } = kubeadm
  const id = await node.memberId()
  if (id === undefined) return
  const warn = (reason: string) =>
    kubeadm.run.err(`W preflight: [reset] failed to remove etcd member: ${reason}`)
  const isKnown = cluster.kubernetes.context.store.get('configmaps', 'kube-system/kubeadm-config')
  if (!cluster.isAvailable || !isKnown || !folder.has('etc/kubernetes/manifests/etcd.yaml')) {
    warn('the configuration of the cluster cannot be read')
    return
  }
  if (cluster.etcd.members.size === 1) return
  clusters.acts.losesVoter(cluster, id)
  try {
    cluster.etcd.remove(id)
  } catch (error) {
    if (!(error instanceof EtcdRefused)) throw error
    warn(error.message)
  }
}

async function empty({ folder }: KubeadmRun, path: string): Promise<void> {
  const names = await readdir(join(folder.root, path)).catch(() => [])
  for (const name of names) await folder.remove(`${path}/${name}`)
}
