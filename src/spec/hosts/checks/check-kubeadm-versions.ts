import { formatPath } from '../../../lib/finding.ts'
import type { CheckFinding } from '../../checks/spec-check.ts'
import { parseVersion } from '../../tables/version-matrix.ts'
import {
  containerdMinimums,
  newestOfDistributions,
  runsKubernetes,
} from '../tables/containerd-minimums.ts'
import { kubeadmMinors } from '../tables/kubeadm-range.ts'
import { type HostsCheckContext, hostsError } from './hosts-check.ts'

const { oldest, newest } = kubeadmMinors
const newestRelease = '1.37.2'

const kubernetesPath = ['kubernetes', 'version']
const policyPath = ['policy', 'unknownVersions']
const runtimePath = ['kubeadm', 'runtime']

/** Whether kubeadm configures this Kubernetes with what we write, and this containerd runs it. */
export function checkKubeadmVersions(context: HostsCheckContext): CheckFinding[] {
  const version = parseVersion(context.file.kubernetes.version)
  if (version === undefined) return []
  const ofKubernetes = checkKubernetes(context, version.minor, version.major)
  if (ofKubernetes.some(({ severity }) => severity === 'error')) return ofKubernetes
  return [...ofKubernetes, ...checkRuntime(context, version.minor)]
}

function checkKubernetes(
  { file }: HostsCheckContext,
  minor: number,
  major: number,
): CheckFinding[] {
  if (major === 1 && minor >= oldest && minor <= newest) return []
  const written = file.kubernetes.version
  const isNewer = major > 1 || minor > newest
  if (isNewer && major === 1 && file.policy.unknownVersions === 'warn') {
    return [
      {
        severity: 'warning',
        path: kubernetesPath,
        message: `kubernetes.version is ${written}, which this version of hcloud-talos does not know: it is treated like 1.${newest}`,
        hint: 'Try it on a cluster for tests first: what changed since is not checked.',
        involves: [policyPath],
      },
    ]
  }
  return [
    {
      ...hostsError(
        kubernetesPath,
        `kubernetes.version is ${written}, but kubeadm is configured from Kubernetes 1.${oldest} to 1.${newest}`,
        isNewer
          ? `Take ${newestRelease}, or a newer version of hcloud-talos; \`policy.unknownVersions: warn\` goes ahead at your own risk.`
          : `Take ${newestRelease}; an older cluster is first brought to 1.${oldest} by hand.`,
      ),
      involves: [policyPath],
    },
  ]
}

function checkRuntime({ file, spec }: HostsCheckContext, minor: number): CheckFinding[] {
  const { version, source } = spec.kubeadm.runtime
  const involves = [kubernetesPath]
  const needed = containerdMinimums(minor)
  const versionPath = [...runtimePath, 'version']
  if (source.type !== 'distribution') {
    if (version === undefined || runsKubernetes(version, minor)) return []
    const message = `${formatPath(versionPath)} is ${version}, but Kubernetes 1.${minor} is for containerd ${needed.join(', ')} or newer ones of these lines`
    return [{ ...hostsError(versionPath, message, `Take ${needed.at(-1)} or newer.`), involves }]
  }
  if (file.kubeadm.runtime.version !== undefined) {
    const message = `${formatPath(versionPath)} is given, but packages of the distribution have a version of their own`
    const hint = 'Remove it, or take containerd from elsewhere.'
    return [{ ...hostsError(versionPath, message, hint), atKey: true }]
  }
  if (runsKubernetes(newestOfDistributions, minor)) return []
  const message = `${formatPath([...runtimePath, 'source'])} is the distribution, which has containerd ${newestOfDistributions} at best: Kubernetes 1.${minor} is for ${needed.join(' or ')} and newer`
  const hint = 'Write repository, which has containerd as Docker packages it.'
  return [{ ...hostsError([...runtimePath, 'source', 'type'], message, hint), involves }]
}
