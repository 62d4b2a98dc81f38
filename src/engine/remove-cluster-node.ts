import { drain } from '../kubernetes/drain.ts'
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import { cordon, deleteNode, getNode } from '../kubernetes/nodes.ts'
import type { Clock } from '../lib/clock.ts'
import { isClusterError } from '../lib/cluster-error.ts'
import type { PhaseProgress } from '../lib/progress.ts'

export interface RemoveNodeOptions {
  readonly kubernetes: KubernetesClient
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
  /** The run, as it is written on a node that is cordoned. */
  readonly run: string
}

/** How often a node that is drained is looked at, in milliseconds. */
const kubeletPollMs = 5_000

/** How long a kubelet may be silent before it is taken for dead: one that only restarts is back by then. */
const silentForMs = 60_000

/** How long a drain may take, in milliseconds. */
export const drainWithinMs = 10 * 60_000

/**
 * Takes a worker out of Kubernetes before its server goes: no new pods, evict what runs, forget it.
 * A node that is not there, or whose kubelet is dead, is simply forgotten. Throws `drain-blocked` with
 * what keeps it; nothing was deleted then.
 */
export async function removeClusterNode(name: string, options: RemoveNodeOptions): Promise<void> {
  if (await emptyClusterNode(name, options)) await deleteNode(options.kubernetes, name)
}

/**
 * Cordons and drains a node that is there and whose kubelet lives, Ready or not: what runs there is to end in
 * order. One whose kubelet is dead, or dies meanwhile, is let go: nobody would ever say that its pods have
 * ended. Returns whether there is such a node. Throws `drain-blocked`.
 */
export async function emptyClusterNode(name: string, options: RemoveNodeOptions): Promise<boolean> {
  const { kubernetes, clock, signal, progress, run } = options
  const node = await getNode(kubernetes, name)
  if (node === undefined) return false
  if (node.silent) return true
  progress.step(`${name}: draining`)
  await cordon(kubernetes, name, run)
  const ended = new AbortController()
  const dead = new AbortController()
  const watching = kubeletDies(name, options, AbortSignal.any([signal, ended.signal])).then(
    (dies) => dies && dead.abort(),
  )
  // What it fails with is thrown below, once the drain has ended.
  watching.catch(() => {})
  try {
    await drain(kubernetes, name, {
      clock,
      signal: AbortSignal.any([signal, dead.signal]),
      withinMs: drainWithinMs,
      onStep: (message) => progress.step(`${name}: ${message}`),
    })
  } catch (error) {
    if (signal.aborted || !dead.signal.aborted) throw error
    progress.step(`${name}: its kubelet is dead, and nobody is left to end its pods`)
  } finally {
    ended.abort()
    await watching
  }
  return true
}

/** Resolves to true when the node has been silent for long, and to false when nobody wants to know any more. */
async function kubeletDies(
  name: string,
  { kubernetes, clock }: RemoveNodeOptions,
  over: AbortSignal,
): Promise<boolean> {
  let heardAt = clock.now()
  try {
    for (;;) {
      await clock.sleep(kubeletPollMs, over)
      if (!(await isSilent(kubernetes, name))) heardAt = clock.now()
      else if (clock.now() - heardAt >= silentForMs) return true
    }
  } catch (error) {
    if (over.aborted) return false
    throw error
  }
}

/** An API that does not answer says nothing about a node. */
async function isSilent(kubernetes: KubernetesClient, name: string): Promise<boolean> {
  try {
    return (await getNode(kubernetes, name))?.silent ?? false
  } catch (error) {
    if (!isClusterError(error)) throw error
    return false
  }
}
