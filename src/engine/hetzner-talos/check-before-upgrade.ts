import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import type { NodeOnServer } from '../../kubernetes/node-server.ts'
import type { Clock } from '../../lib/clock.ts'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { ControlPlane } from '../../talos/control-plane.ts'
import { waitForHealthyEtcd } from '../../talos/etcd/wait-for-healthy-etcd.ts'
import { checkNodesBeforeUpgrade, comesBackWithinMs } from '../check-nodes-before-upgrade.ts'
import { upgradeStep } from '../run-step.ts'

export interface UpgradeCheckOptions {
  readonly spec: ClusterSpec
  /** The nodes that the cluster has. */
  readonly nodes: readonly NodeOnServer[]
  readonly controlPlanes: readonly ControlPlane[]
  readonly kubernetes: () => Promise<KubernetesClient>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
}

/**
 * Sees that a cluster is fit to be upgraded, before anything is changed: etcd healthy, every node healthy, the
 * gates open. Waits a while for each, since a run that was cut off may have left a node on its way up.
 * Throws `etcd-unhealthy`, `node-not-ready`, `upgrade-gate-closed`.
 */
export async function checkBeforeUpgrade(options: UpgradeCheckOptions): Promise<void> {
  const { spec, nodes, clock, signal, progress } = options
  await upgradeStep({ step: 'check that etcd is healthy', progress }, (onPending) =>
    requireHealthyEtcd(options, onPending),
  )
  const kubernetes = await options.kubernetes()
  await checkNodesBeforeUpgrade({ spec, nodes, kubernetes, clock, signal, progress })
}

/** Throws `etcd-unhealthy` when it does not become healthy. */
async function requireHealthyEtcd(
  { controlPlanes, clock, signal }: UpgradeCheckOptions,
  onPending: (message: string) => void,
): Promise<void> {
  try {
    const wait = { clock, signal, withinMs: comesBackWithinMs, onPending }
    await waitForHealthyEtcd(controlPlanes, wait)
  } catch (error) {
    if (!isClusterError(error, 'wait-timeout')) throw error
    throw new ClusterError('etcd-unhealthy', error.message, {
      hint: 'Fix etcd first: `hcloud-talos talos etcd status` shows what is wrong.',
      cause: error,
    })
  }
}
