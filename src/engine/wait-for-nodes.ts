import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import type { NodeOnServer } from '../kubernetes/node-server.ts'
import { type NodeWait, waitForNodesReady } from '../kubernetes/nodes.ts'
import { waitForRegistration } from '../kubernetes/wait-for-registration.ts'
import type { PhaseProgress } from '../lib/progress.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import { releaseCordons } from './release-cordons.ts'

export interface WaitForNodes {
  readonly spec: Pick<CommonSpec, 'cni'>
  readonly kubernetes: KubernetesClient
  /** Every node of the cluster; with its server where nodes are known by one. */
  readonly nodes: readonly NodeOnServer[]
  /** Nodes whose cordons of ours stay, by name, each with the reason. */
  readonly kept: ReadonlyMap<string, string>
  readonly wait: NodeWait
  readonly progress: PhaseProgress
}

/**
 * The end of an apply in any mode: Kubernetes knows every node, each is Ready where the network is ours to bring, and
 * cordons that an earlier run left behind are taken off. Returns whether Ready was waited for. Throws `wait-timeout`.
 */
export async function waitForNodes({
  spec,
  kubernetes,
  nodes,
  kept,
  wait,
  progress,
}: WaitForNodes): Promise<boolean> {
  const names = nodes.map(({ name }) => name)
  const { clock, signal, onPending } = wait
  await waitForRegistration(kubernetes, names, { clock, signal, ...(onPending && { onPending }) })
  const hasNetwork = spec.cni.type !== 'none'
  if (hasNetwork) await waitForNodesReady(kubernetes, nodes, wait)
  await releaseCordons(kubernetes, kept, progress)
  return hasNetwork
}
