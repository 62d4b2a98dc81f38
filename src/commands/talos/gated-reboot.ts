import { ClusterError } from '../../lib/cluster-error.ts'
import { type NodeService, returnToService, takeOutOfService } from '../../phases/node-service.ts'
import { runPhase } from '../../phases/run-phase.ts'
import { readBootId } from '../../talos/api/node-file.ts'
import { waitForTalos } from '../../talos/wait-for-talos.ts'
import type { RunContext } from '../run-context.ts'
import type { NodeGates } from './gates-under-lock.ts'
import type { ReachedCluster, ReachedNode } from './reached-cluster.ts'
import type { RebootOptions } from './reboot-node.ts'

const bootsWithinMs = 15 * 60_000

/** Locks the cluster for its nodes to be rebooted one after the other. Throws what `gatesUnderLock` does. */
export async function lockForReboot(
  { gates }: ReachedCluster,
  nodes: readonly [ReachedNode, ...ReachedNode[]],
): Promise<NodeGates> {
  const [{ name }] = nodes
  if (!gates) throw noGate(name)
  return await gates(nodes.map((node) => node.name))
}

/**
 * Reboots a node through the gate that everything goes through that stops a node: gates of the file open, etcd
 * healthy, cordon, drain, reboot, components healthy, Ready, uncordon, etcd healthy again. Throws what these throw;
 * the nodes after it are left alone then.
 */
export async function gatedReboot(
  context: RunContext,
  gateOf: NodeGates,
  node: ReachedNode,
  mode: RebootOptions['mode'],
): Promise<void> {
  const { name } = node
  await runPhase(context.progress, `Reboot ${name}`, async (progress) => {
    const { service, etcdHealthy, requireLock } = await gateOf(name, progress)
    await takeOutOfService(service, etcdHealthy)
    const formerBootId = await readBootId(service.client)
    // Draining takes minutes, in which another run may have taken the lock over.
    await requireLock()
    await node.api.machine.reboot(mode)
    await waitForBoot(service, formerBootId)
    await returnToService(service)
    await etcdHealthy()
  })
}

/** That it is healthy is looked at afterwards: without a network of pods a machine never calls itself ready. */
async function waitForBoot(
  { name, client, clock, signal, step }: NodeService,
  former: string,
): Promise<void> {
  await step('wait for its boot', (onPending) =>
    waitForTalos(
      `${name} to boot`,
      async () =>
        (await readBootId(client)) === former
          ? { pending: 'it has not gone down yet' }
          : { done: undefined },
      { clock, signal, onPending },
      { defaultMs: bootsWithinMs, hint: 'Look at the console of the server.' },
    ),
  )
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
