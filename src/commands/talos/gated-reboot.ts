import { ClusterError } from '../../lib/cluster-error.ts'
import { type NodeService, returnToService, takeOutOfService } from '../../phases/node-service.ts'
import { runPhase } from '../../phases/run-phase.ts'
import type { RunContext } from '../run-context.ts'
import type { ReachedCluster, ReachedNode } from './reached-cluster.ts'
import { type RebootOptions, rebootNode } from './reboot-node.ts'

/** What it takes to stop a node as every run does: to drain it, and to see that etcd can do without it. */
export interface NodeGate {
  readonly service: NodeService
  /** Returns when etcd can do without the node; at once for a worker. */
  readonly etcdHealthy: () => Promise<void>
}

/**
 * Reboots a node through the gate that everything goes through that stops a node: gates of the file open, etcd
 * healthy, cordon, drain, reboot, components healthy, Ready, uncordon, etcd healthy again. Throws what these throw;
 * the nodes after it are left alone then.
 */
export async function gatedReboot(
  context: RunContext,
  { gate }: ReachedCluster,
  node: ReachedNode,
  options: Omit<RebootOptions, 'wait'>,
): Promise<void> {
  const { name } = node
  if (!gate) throw noGate(name)
  await runPhase(context.progress, `Reboot ${name}`, async (progress) => {
    const { service, etcdHealthy } = await gate(name, progress)
    await takeOutOfService(service, etcdHealthy)
    await rebootNode(context, node, { ...options, wait: true })
    await returnToService(service)
    await etcdHealthy()
  })
}

/** Whoever has nothing but a talosconfig cannot drain anything. */
function noGate(target: string): ClusterError {
  return new ClusterError(
    'usage',
    'a talosconfig alone can neither drain a node nor see that etcd can do without it',
    {
      operation: 'reboot',
      target,
      hint: 'Leave --talosconfig out and name the cluster file, or give --no-gate to reboot without looking.',
    },
  )
}
