import { drain } from '../../kubernetes/drain.ts'
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { waitForNodeAgents } from '../../kubernetes/node-agents.ts'
import { cordon, uncordon, waitForNodeWell } from '../../kubernetes/nodes.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { Redactor } from '../../lib/redactor.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { readBootId } from '../../talos/api/node-file.ts'
import type { TalosConnection } from '../../talos/api/talos-caller.ts'
import { drainWithinMs } from '../remove-cluster-node.ts'
import type { NodeStep } from '../run-step.ts'
import { waitForGates } from '../wait-for-gates.ts'
import { waitForComponents } from './wait-for-components.ts'

export interface NodeService {
  readonly name: string
  readonly isControlPlane: boolean
  readonly client: TalosConnection
  readonly spec: ClusterSpec
  readonly kubernetes: KubernetesClient
  readonly redactor: Redactor
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
  /** The run, as it is written on a node that is cordoned. */
  readonly run: string
  readonly step: NodeStep
}

/** How long a node may take to be healthy after it was stopped, in milliseconds. */
const healthyWithinMs = 10 * 60_000

/**
 * The first half of the gate that everything goes through that stops a node or its pods: what its user named is
 * healthy, etcd is, and the node is cordoned and drained within its budgets. Throws `upgrade-gate-closed`,
 * `etcd-unhealthy`, `wait-timeout`, `drain-blocked`; the node then runs on, and takes pods again.
 */
export async function takeOutOfService(
  node: NodeService,
  waitForHealthyEtcd: (report: (message: string) => void) => Promise<void>,
): Promise<void> {
  const { name, spec, kubernetes, clock, signal, run, step } = node
  await waitForGates({ spec, kubernetes, clock, signal, step })
  await step('check that etcd is healthy', waitForHealthyEtcd)
  await step('drain it', async (onStep) => {
    const isOurs = await cordon(kubernetes, name, run)
    try {
      await drain(kubernetes, name, { clock, signal, withinMs: drainWithinMs, onStep })
    } catch (error) {
      // Nothing was done to the node yet; a run that was asked to stop leaves the cordon to the next one.
      if (isOurs && !signal.aborted) await uncordon(kubernetes, name).catch(() => false)
      throw error
    }
  })
}

/**
 * The second half: every component on the node is healthy, Kubernetes has heard of this boot and holds the node
 * to be Ready, what serves all pods of it (network, storage) runs, and it takes pods again. Throws
 * `component-unhealthy`, `wait-timeout`.
 */
export async function returnToService(node: NodeService): Promise<void> {
  await waitUntilWell(node)
  await uncordon(node.kubernetes, node.name)
}

/** The same for a node whose cordon stays. */
export async function waitUntilWell(node: NodeService): Promise<void> {
  const { name, isControlPlane, client, spec, kubernetes, redactor, clock, signal, step } = node
  await step('see that its components are healthy', (onPending) =>
    waitForComponents({
      client,
      node: { name, isControlPlane },
      restarts: [],
      before: undefined,
      redactor,
      clock,
      signal,
      onPending,
    }),
  )
  await step('wait until it is healthy', async (onPending) => {
    const bootId = await readBootId(client)
    const network = spec.cni.type !== 'none'
    const wait = { clock, signal, withinMs: healthyWithinMs, onPending }
    await waitForNodeWell(kubernetes, { name, bootId }, { ...wait, network })
    if (network) await waitForNodeAgents(kubernetes, name, wait)
  })
}
