import type { KubernetesFile } from '../../spec/hosts/hosts-spec.ts'
import { kubeadmBinary, kubeadmPackage } from './checks/kubeadm-alone.ts'
import { kubernetesBinaries } from './checks/kubernetes-files.ts'
import {
  kubeletEnabled,
  kubernetesHold,
  kubernetesPackages,
  kubernetesRepository,
} from './checks/kubernetes-packages.ts'
import type { HostCheck, HostStep } from './host-check.ts'
import { fileLines, type HostPackageSource, repositoryUrl } from './package-source.ts'

export interface KubeadmOptions {
  /** Of Kubernetes, without v: `1.36.3`. */
  readonly version: string
  /**
   * The newest minor that there is: `1.37`. The key of the repository is issued again with a later end, under the same
   * name, for new minors alone. A mirror may not have that minor: its key is that of the minor that it has for certain.
   */
  readonly newestMinor: string
  readonly source: HostPackageSource<KubernetesFile>
}

/** kubeadm, the kubelet and kubectl are there in the version of the cluster, and stay so. */
export function kubeadmReady(options: KubeadmOptions): HostStep {
  return stepOf(options, [
    ...(options.source.type === 'files'
      ? [kubernetesBinaries]
      : [kubernetesRepository, kubernetesPackages, kubernetesHold]),
    kubeletEnabled,
  ])
}

/** kubeadm alone is there in the version that a cluster is upgraded to: the kubelet follows when its node is drained. */
export function kubeadmAhead(options: KubeadmOptions): HostStep {
  return stepOf(
    options,
    options.source.type === 'files' ? [kubeadmBinary] : [kubernetesRepository, kubeadmPackage],
  )
}

function stepOf(
  { version, newestMinor, source }: KubeadmOptions,
  checks: readonly HostCheck[],
): HostStep {
  const base = `${repositoryUrl(source, 'https://pkgs.k8s.io')}/core:/stable:`
  const [minor = ''] = /^\d+\.\d+/.exec(version) ?? []
  const isMirror = source.type === 'mirror'
  const key = isMirror ? source.key : undefined
  const keyMinor = isMirror ? minor : newestMinor
  const parameters = {
    wanted: version,
    deb_url: `${base}/v${minor}/deb/`,
    deb_key: key ?? `${base}/v${keyMinor}/deb/Release.key`,
    rpm_url: `${base}/v${minor}/rpm/`,
    rpm_key: key ?? `${base}/v${keyMinor}/rpm/repodata/repomd.xml.key`,
    files: fileLines(source),
  }
  return {
    id: 'kubeadm_ready',
    parameters: Object.keys(parameters),
    args: Object.values(parameters),
    checks,
  }
}
