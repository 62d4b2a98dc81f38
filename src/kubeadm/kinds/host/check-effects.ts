import type { Risk } from '../../../plan/change.ts'
import { containerdBinaries } from '../../host/checks/containerd-binaries.ts'
import { containerdFile, containerdService } from '../../host/checks/containerd-files.ts'
import { containerdVersion } from '../../host/checks/containerd-package.ts'
import { kubernetesBinaries } from '../../host/checks/kubernetes-files.ts'
import { kubernetesPackages, kubernetesRepository } from '../../host/checks/kubernetes-packages.ts'
import { swap } from '../../host/checks/swap.ts'
import type { HostCheck } from '../../host/host-check.ts'
import type { HostEvidence } from '../../host/host-evidence.ts'

const ids = (checks: readonly HostCheck[]): ReadonlySet<string> =>
  new Set(checks.map(({ id }) => id))

/** What an apply of these restarts is felt by pods: on a node they are applied while it is drained. */
const drained = ids([
  swap,
  containerdFile,
  containerdService,
  containerdVersion,
  containerdBinaries,
  kubernetesPackages,
  kubernetesBinaries,
])

/** What fails on a node that runs another Kubernetes than the file names: an upgrade of the cluster makes it true. */
export const kubernetesVersionChecks = ids([
  kubernetesRepository,
  kubernetesPackages,
  kubernetesBinaries,
])

/** The same for containerd, which is upgraded node by node. */
export const containerdVersionChecks = ids([containerdVersion, containerdBinaries])

/** What it means to make a check true that failed on a node. */
export function riskOnNode({ check, seen }: Pick<HostEvidence, 'check' | 'seen'>): Risk {
  if (!drained.has(check)) return 'live'
  // One that does not run is started: nothing on the node could be drained without it.
  const isStopped = check === containerdService.id && !seen.startsWith('active')
  return isStopped ? 'restart' : 'drain'
}
