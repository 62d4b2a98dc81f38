import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { uncordon, waitForNodeWell } from '../../kubernetes/nodes.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { emptyClusterNode } from '../remove-cluster-node.ts'
import { nodeSteps } from '../run-step.ts'
import { waitForGates } from '../wait-for-gates.ts'

export interface DrainedNode {
  readonly name: string
  readonly context: RunContext
  readonly spec: HostsSpec
  readonly kubernetes: KubernetesClient
  readonly progress: PhaseProgress
  /** Without v: what its kubelet is to be afterwards, where the work changes it. */
  readonly kubeletVersion?: string
}

const readyWithinMs = 10 * 60_000

/**
 * Does what pods would feel while none runs on a node: the gates are open, it is drained, and it takes pods again once it is
 * healthy. Where the work fails, the node stays cordoned with our mark: the next run begins with it.
 */
export async function whileDrained(
  { name, context, spec, kubernetes, progress, kubeletVersion }: DrainedNode,
  work: () => Promise<void>,
): Promise<void> {
  const { clock, signal, run } = context
  await waitForGates({
    spec,
    kubernetes,
    clock,
    signal,
    step: nodeSteps('upgrade', name, progress),
  })
  await emptyClusterNode(name, { kubernetes, clock, signal, progress, run: run.id })
  await work()
  await waitForNodeWell(
    kubernetes,
    { name, ...(kubeletVersion !== undefined && { kubeletVersion: `v${kubeletVersion}` }) },
    {
      clock,
      signal,
      withinMs: readyWithinMs,
      network: spec.cni.type !== 'none',
      onPending: (reason) => progress.step(reason),
    },
  )
  await uncordon(kubernetes, name)
}
