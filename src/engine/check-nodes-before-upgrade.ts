import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import type { NodeOnServer } from '../kubernetes/node-server.ts'
import { waitForNodeWell } from '../kubernetes/nodes.ts'
import type { Clock } from '../lib/clock.ts'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { PhaseProgress } from '../lib/progress.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import { upgradeStep } from './run-step.ts'
import { waitForGates } from './wait-for-gates.ts'

interface NodesCheck {
  readonly spec: CommonSpec
  /** Those that must be healthy; with its server where nodes are known by one. */
  readonly nodes: readonly NodeOnServer[]
  readonly kubernetes: KubernetesClient
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
}

/** How long a node may take to come back from the upgrade that a former run began, in milliseconds. */
export const comesBackWithinMs = 5 * 60_000

/**
 * Sees before an upgrade, in any mode, that nodes are healthy and that what the user named is. Waits a while for each,
 * since a run that was cut off may have left a node on its way up. Throws `node-not-ready`, `upgrade-gate-closed`.
 */
export async function checkNodesBeforeUpgrade(check: NodesCheck): Promise<void> {
  const { spec, nodes, kubernetes, clock, signal, progress } = check
  const network = spec.cni.type !== 'none'
  for (const node of nodes) {
    const { name } = node
    await upgradeStep(
      { node: name, step: 'check that it is healthy', progress },
      async (onPending) => {
        const wait = { clock, signal, withinMs: comesBackWithinMs, onPending, network }
        await waitForNodeWell(kubernetes, node, wait).catch(refuse(name))
      },
    )
  }
  await waitForGates({
    spec,
    kubernetes,
    clock,
    signal,
    step: (step, work) => upgradeStep({ step, progress }, work),
  })
}

function refuse(name: string): (error: unknown) => never {
  return (error) => {
    if (!isClusterError(error, 'wait-timeout')) throw error
    throw new ClusterError('node-not-ready', error.message, {
      target: name,
      hint: 'Fix the node (`hcloud-talos doctor` shows what is wrong), or take it out of the cluster file. Nothing was changed.',
      cause: error,
    })
  }
}
