import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { type NodeService, returnToService, takeOutOfService } from '../node-service.ts'
import { nodeSteps } from '../run-step.ts'
import { waitForMembers } from './etcd-members.ts'
import { waitForControlPlane } from './wait-for-control-plane.ts'

export interface DrainedNode {
  readonly name: string
  readonly context: RunContext
  readonly spec: HostsSpec
  readonly kubernetes: KubernetesClient
  readonly reach: HostsReach
  readonly progress: PhaseProgress
  /** What the run is called where it stops. */
  readonly run: 'apply' | 'upgrade'
  /** Without v: what its kubelet is to be afterwards, where the work changes it. */
  readonly kubeletVersion?: string
}

/**
 * Does what pods would feel while none runs on a node: it goes through the gate that everything goes through which stops
 * a node, and takes pods again once it is healthy. Where the work fails, the node stays cordoned with our mark.
 */
export async function whileDrained(node: DrainedNode, work: () => Promise<void>): Promise<void> {
  const { context, reach, progress } = node
  const service = hostService(node)
  await takeOutOfService(service, () => waitForMembers({ context, reach, progress }))
  await work()
  await returnToService(service)
}

/** A node of a host as the gate takes it that is common to all modes. */
export function hostService(node: DrainedNode): NodeService {
  const { name, context, spec, kubernetes, reach, progress, run, kubeletVersion } = node
  const { clock, signal } = context
  const isControlPlane = reach.controlPlanes.some((one) => one.name === name)
  return {
    name,
    spec,
    kubernetes,
    clock,
    signal,
    run: context.run.id,
    step: nodeSteps(run, name, progress),
    inspection: {
      async waitForComponents() {
        if (isControlPlane) await waitForControlPlane(name, { context, reach, progress })
      },
      expected: async () =>
        kubeletVersion === undefined ? {} : { kubeletVersion: `v${kubeletVersion}` },
    },
  }
}
