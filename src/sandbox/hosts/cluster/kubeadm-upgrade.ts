import { flagAt, objectAt, textAt } from '../../kubernetes/model/read-json.ts'
import { clusterOf } from './admin-cluster.ts'
import { putAddons } from './cluster-objects.ts'
import { writeCertificates, writeKubeconfigs, writeManifests } from './control-plane-files.ts'
import type { HostCluster } from './host-cluster.ts'
import { KubeadmRefused } from './kubeadm-file.ts'
import { uploadConfig } from './kubeadm-init.ts'
import { clusterConfigurationOf, kubeletConfigOf } from './kubeadm-join.ts'
import type { KubeadmRun } from './kubeadm-run.ts'
import { minorOf } from './static-pod.ts'

/** `kubeadm upgrade plan`: from what to what. */
export async function upgradePlan(kubeadm: KubeadmRun): Promise<void> {
  const { kubernetesVersion } = clusterConfigurationOf(clusterOf(kubeadm))
  kubeadm.print(`[upgrade/versions] Cluster version: ${kubernetesVersion}`)
  kubeadm.print(`[upgrade/versions] kubeadm version: ${await kubeadm.version()}`)
}

/** `kubeadm upgrade apply`: what the cluster shares, and this control plane. */
export async function upgradeApply(kubeadm: KubeadmRun): Promise<void> {
  const cluster = clusterOf(kubeadm)
  const file = kubeadm.has('--config') ? await kubeadm.file() : undefined
  const apply = objectAt(file?.get('UpgradeConfiguration'), 'apply')
  const [, , word] = kubeadm.run.args
  const target = word?.startsWith('v1.') ? word : textAt(apply, 'kubernetesVersion')
  if (!kubeadm.has('--yes', '-y') && !flagAt(apply, 'forceUpgrade')) {
    throw new KubeadmRefused(
      "error: won't proceed; the user didn't answer (Y|y) in order to continue",
    )
  }
  const former = clusterConfigurationOf(cluster)
  await requireStep(kubeadm, textAt(former, 'kubernetesVersion'), target)
  await runHealthJob(kubeadm)
  await kubeadm.phase('upgrade')
  const configuration = { ...former, kubernetesVersion: target }
  await renderControlPlane(kubeadm, configuration, apply)
  uploadConfig(cluster, configuration, kubeletConfigOf(cluster))
  await kubeadm.phase('upload-config')
  upgradeAddons(cluster, target)
  kubeadm.print(
    `[upgrade] SUCCESS! A control plane node of your cluster was upgraded to "${target}".`,
  )
}

/** A Job that shows that pods can run; its time is kubeadm's own, and no setting changes it. */
async function runHealthJob({ clusters }: KubeadmRun): Promise<void> {
  if (clusters.slowHealthJobs === 0) return
  clusters.slowHealthJobs -= 1
  await clusters.world.clock.sleep(15_000, clusters.world.signal)
  throw new KubeadmRefused(
    [
      '[preflight] Some fatal errors occurred:',
      '\t[ERROR CreateJob]: Job "upgrade-health-check-1796056788120" in the namespace "kube-system" did not complete in 15s: no condition of type Complete',
      'error: error execution phase preflight: preflight checks failed',
    ].join('\n'),
  )
}

/** `kubeadm upgrade node`: this host, as the cluster has it. */
export async function upgradeNode(kubeadm: KubeadmRun): Promise<void> {
  const { node, folder } = kubeadm
  const file = kubeadm.has('--config') ? await kubeadm.file() : undefined
  const { cluster } = node
  if (cluster?.isAvailable !== true) throw new KubeadmRefused('the cluster cannot be reached')
  const configuration = clusterConfigurationOf(cluster)
  const target = textAt(configuration, 'kubernetesVersion')
  await kubeadm.phase('upgrade')
  if (folder.has('etc/kubernetes/manifests/kube-apiserver.yaml')) {
    await requireStep(kubeadm, target, target)
    const settings = objectAt(file?.get('UpgradeConfiguration'), 'node')
    await renderControlPlane(kubeadm, configuration, settings)
    upgradeAddons(cluster, target)
  }
  await folder.put('var/lib/kubelet/config.yaml', `${JSON.stringify(kubeletConfigOf(cluster))}\n`)
  kubeadm.print('[upgrade] The configuration for this node was successfully upgraded!')
}

async function requireStep(kubeadm: KubeadmRun, from: string, to: string): Promise<void> {
  const own = await kubeadm.version()
  const [before, after] = [minorOf(from), minorOf(to)]
  if (compare(to, own) > 0 || minorOf(own) !== after) {
    throw new KubeadmRefused(
      `the version to upgrade to "${to}" is higher than the kubeadm version "${own}", or of another minor`,
    )
  }
  if (after - before > 1 || compare(to, from) < 0) {
    throw new KubeadmRefused(
      `FATAL: the version argument is invalid: specified version to upgrade to "${to}" is not one minor after "${from}"`,
    )
  }
}

/** Whether one version is newer than another: positive, or older: negative. */
function compare(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => text.replace(/^v/, '').split('.').map(Number))
  for (let at = 0; at < 3; at++) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

async function renderControlPlane(
  kubeadm: KubeadmRun,
  configuration: ReturnType<typeof clusterConfigurationOf>,
  settings: ReturnType<typeof objectAt>,
): Promise<void> {
  const { folder, node, now } = kubeadm
  const name = await node.nodeName()
  const place = { folder, name, nodeIp: node.nodeIp, configuration, now }
  if (settings['certificateRenewal'] !== false) {
    await writeCertificates(place, true)
    const files = ['admin', 'super-admin', 'controller-manager', 'scheduler']
    await writeKubeconfigs(
      place,
      files.filter((file) => folder.has(`etc/kubernetes/${file}.conf`)),
    )
  }
  const version = textAt(configuration, 'kubernetesVersion')
  const patches = textAt(settings, 'patches', 'directory')
  const all = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler']
  const only = settings['etcdUpgrade'] === false ? all.slice(1) : all
  await writeManifests(place, { version, patches, only })
  await node.settle()
  await kubeadm.phase('control-plane')
}

/** CoreDNS and kube-proxy follow when the last control plane has. */
function upgradeAddons(cluster: HostCluster, version: string): void {
  const images = cluster.nodes.flatMap(({ containers }) => {
    const image = containers.get('kube-apiserver')?.pod.image
    return image === undefined ? [] : [image]
  })
  if (images.some((image) => !image.endsWith(`:${version}`))) return
  putAddons(cluster, clusterConfigurationOf(cluster), version)
}
