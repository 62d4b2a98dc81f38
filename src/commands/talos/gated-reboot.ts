import type { TalosNodeService } from '../../engine/hetzner-talos/talos-node-service.ts'
import { returnToService, takeOutOfService } from '../../engine/node-service.ts'
import { uncordon } from '../../kubernetes/nodes.ts'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { readBootId } from '../../talos/api/node-file.ts'
import { waitForTalos } from '../../talos/wait-for-talos.ts'
import type { NodeGate, NodeGates, StopVerb } from './gates-under-lock.ts'
import type { ReachedCluster, ReachedNode } from './reached-cluster.ts'

const bootsWithinMs = 15 * 60_000
const consoleHint = 'Look at the console of the server.'

/** Locks the cluster for its nodes to be stopped one after the other. Throws what `gatesUnderLock` does. */
export async function lockToStop(
  { gates }: ReachedCluster,
  nodes: readonly [ReachedNode, ...ReachedNode[]],
  verb: StopVerb,
): Promise<NodeGates> {
  const [{ name }] = nodes
  if (!gates) throw noGate(name, verb)
  return await gates(
    nodes.map((node) => node.name),
    verb,
  )
}

/** How a node is stopped: `stop` has the node do it, and returns before it has. */
export interface Stop {
  readonly node: ReachedNode
  /** As in `Reboot demo-workers-1`. */
  readonly title: string
  readonly stop: () => Promise<unknown>
}

/**
 * Has a node reboot through the gate that everything goes through that stops a node: gates of the file open, etcd
 * healthy, cordon, drain, boot, components healthy, Ready, uncordon, etcd healthy again. Throws what these throw;
 * the nodes after it are left alone then.
 */
export async function gatedBoot(
  context: RunContext,
  gateOf: NodeGates,
  { node: { name }, title, stop }: Stop,
): Promise<void> {
  await runPhase(context.progress, title, async (progress) => {
    const { service, waitForHealthyEtcd, requireLock } = await gateOf(name, progress)
    await takeOutOfService(service, waitForHealthyEtcd)
    const formerBootId = await askToStop(service, requireLock, stop)
    await waitForBoot(service, formerBootId)
    await returnToService(service)
    await waitForHealthyEtcd()
  })
}

/**
 * Turns a node off through the first half of that gate, and returns when it does not answer any more: only then does
 * etcd tell the next node that a member is away. It stays cordoned.
 */
export async function gatedShutdown(
  context: RunContext,
  gateOf: NodeGates,
  { node: { name }, title, stop }: Stop,
): Promise<void> {
  await runPhase(context.progress, title, async (progress) => {
    const { service, waitForHealthyEtcd, requireLock } = await gateOf(name, progress)
    await takeOutOfService(service, waitForHealthyEtcd)
    await askToStop(service, requireLock, stop)
    await waitUntilOff(service)
  })
}

/** Returns the boot that this ends. A node that was not asked to stop, or refused, takes pods again. */
async function askToStop(
  { name, client, kubernetes, signal, step }: TalosNodeService,
  requireLock: NodeGate['requireLock'],
  stop: Stop['stop'],
): Promise<string> {
  let isAsked = false
  return await step('stop it', async () => {
    try {
      const bootId = await readBootId(client)
      // Draining takes minutes, in which another run may have taken the lock over.
      await requireLock()
      isAsked = true
      await stop()
      return bootId
    } catch (error) {
      const runsOn = !isAsked || isClusterError(error, 'talos-refused')
      // A run that lost its lock, or was asked to stop, leaves the cordon to the next one.
      if (runsOn && !signal.aborted) await uncordon(kubernetes, name).catch(() => false)
      throw error
    }
  })
}

async function waitUntilOff({
  name,
  client,
  clock,
  signal,
  step,
}: TalosNodeService): Promise<void> {
  await step('wait until it is off', (onPending) =>
    waitFor(
      `${name} to be off`,
      async () => {
        try {
          await readBootId(client)
          return { pending: 'it still answers' }
        } catch (error) {
          if (!isClusterError(error, 'talos-unreachable')) throw error
          return { done: undefined }
        }
      },
      { clock, signal, onPending, everyMs: 1_000, withinMs: bootsWithinMs, hint: consoleHint },
    ),
  )
}

/** That it is healthy is looked at afterwards: without a network of pods a machine never calls itself ready. */
async function waitForBoot(
  { name, client, clock, signal, step }: TalosNodeService,
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
      { defaultMs: bootsWithinMs, hint: consoleHint },
    ),
  )
}

/** Whoever has nothing but a talosconfig cannot drain anything. */
function noGate(target: string, operation: StopVerb): ClusterError {
  return new ClusterError(
    'usage',
    'a talosconfig alone can neither take the lock of the cluster, nor drain a node, nor see that etcd can do without it',
    {
      operation,
      target,
      hint: `Leave --talosconfig out and name the cluster file${operation === 'patch' ? '' : ', or give --no-gate to do it without looking'}.`,
    },
  )
}
