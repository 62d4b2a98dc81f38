import { drain } from '../kubernetes/drain.ts'
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import { cordon, uncordon, waitForNodesReady } from '../kubernetes/nodes.ts'
import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { PhaseProgress } from '../lib/progress.ts'
import { getVersion, readBootId } from '../talos/api/machine.ts'
import { readSchematic } from '../talos/api/schematic.ts'
import type { TalosClient } from '../talos/api/talos-client.ts'
import type { ControlPlane } from '../talos/control-plane.ts'
import { etcdProblems } from '../talos/etcd-health.ts'
import { upgradeTalosNode, waitForTalosVersion } from '../talos/upgrade-talos-node.ts'
import { drainWithinMs } from './remove-cluster-node.ts'
import { waitForWholeEtcd } from './wait-for-whole-etcd.ts'

export interface UpgradeNodeOptions {
  readonly name: string
  readonly client: TalosClient
  readonly version: string
  /** 64 hex digits. */
  readonly schematic: string
  /** The installer image, with the schematic. */
  readonly image: string
  readonly controlPlanes: readonly ControlPlane[]
  readonly kubernetes: KubernetesClient
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
  readonly run: string
}

/** How long etcd may take to be whole again after a member was away, in milliseconds. */
const etcdWithinMs = 5 * 60_000
/** How long a node may take to be Ready after it runs its new version, in milliseconds. */
const readyWithinMs = 10 * 60_000

/**
 * Rolls one node into another Talos version or image: etcd whole, cordon, drain, upgrade, a changed boot
 * id and the new version, Ready, uncordon, etcd whole again. Begins where an earlier try stopped: a node
 * that runs this version of this schematic already is only seen to be well. Throws `etcd-unhealthy`, `drain-blocked`,
 * `talos-upgrade-failed` or `wait-timeout`; the node then stays cordoned and the cluster as it is.
 */
export async function upgradeClusterNode(options: UpgradeNodeOptions): Promise<void> {
  const { name, client, version, schematic, image, kubernetes, clock, signal, progress, run } =
    options
  const step = (message: string) => progress.step(`${name}: ${message}`)
  const { tag } = await getVersion(client)
  if (tag !== version || (await readSchematic(client)) !== schematic) {
    await requireWholeEtcd(options)
    step('draining')
    await cordon(kubernetes, name, run)
    await drain(kubernetes, name, { clock, signal, withinMs: drainWithinMs, onStep: step })
    const formerBootId = await readBootId(client)
    await upgradeTalosNode(client, { image, fromVersion: tag, onProgress: step })
    await waitForTalosVersion(client, { version, formerBootId, clock, signal, onPending: step })
  }
  await waitForNodesReady(kubernetes, [name], {
    clock,
    signal,
    withinMs: readyWithinMs,
    onPending: step,
  })
  await uncordon(kubernetes, name)
  const wait = { clock, signal, withinMs: etcdWithinMs, onPending: step }
  await waitForWholeEtcd(options.controlPlanes, wait)
}

async function requireWholeEtcd({ controlPlanes, name }: UpgradeNodeOptions): Promise<void> {
  const problems = await etcdProblems(controlPlanes)
  if (problems.length === 0) return
  throw new ClusterError('etcd-unhealthy', `etcd is not whole: ${problems.join('; ')}`, {
    operation: 'upgrade',
    target: name,
    hint: 'mend etcd first, then run the upgrade again: it goes on with the nodes that are left',
  })
}
