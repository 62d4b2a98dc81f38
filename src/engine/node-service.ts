import { drain } from '../kubernetes/drain.ts'
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import { waitForNodeAgents } from '../kubernetes/node-agents.ts'
import { cordon, type HealthyNode, uncordon, waitForNodeWell } from '../kubernetes/nodes.ts'
import type { Clock } from '../lib/clock.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import { drainWithinMs } from './remove-cluster-node.ts'
import type { NodeStep } from './run-step.ts'
import { waitForGates } from './wait-for-gates.ts'

/** What a mode sees of a node by asking the node itself, without Kubernetes. */
export interface NodeInspection {
  /** Returns when every component that the node runs is healthy. Throws `component-unhealthy`. */
  waitForComponents(onPending: (reason: string) => void): Promise<void>
  /** What Kubernetes must have heard of the node since it was stopped: until then it still counts as what it was. */
  expected(): Promise<Pick<HealthyNode, 'bootId' | 'kubeletVersion'>>
}

/** A node that a run takes out of service and back, in any mode. */
export interface NodeService {
  readonly name: string
  readonly spec: CommonSpec
  readonly kubernetes: KubernetesClient
  readonly inspection: NodeInspection
  readonly clock: Clock
  readonly signal: AbortSignal
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
  await waitUntilHealthy(node)
  await uncordon(node.kubernetes, node.name)
}

/** The same for a node whose cordon stays. */
export async function waitUntilHealthy(node: NodeService): Promise<void> {
  const { name, spec, kubernetes, inspection, clock, signal, step } = node
  await step('see that its components are healthy', (onPending) =>
    inspection.waitForComponents(onPending),
  )
  await step('wait until it is healthy', async (onPending) => {
    const expected = await inspection.expected()
    const network = spec.cni.type !== 'none'
    const wait = { clock, signal, withinMs: healthyWithinMs, onPending }
    await waitForNodeWell(kubernetes, { name, ...expected }, { ...wait, network })
    if (network) await waitForNodeAgents(kubernetes, name, wait)
  })
}
