import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { isOfOtherServer } from '../../kubernetes/node-server.ts'
import { deleteNode, getNode } from '../../kubernetes/nodes.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { ClusterAccess } from '../../run/hetzner-talos/cluster-access.ts'
import type { NodeAddresses } from '../../run/hetzner-talos/node-addresses.ts'
import { restartKubelet } from '../../talos/restart-kubelet.ts'

export interface RenewNodesOptions {
  readonly kubernetes: KubernetesClient
  readonly access: ClusterAccess
  readonly addresses: NodeAddresses
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
}

/** How long a kubelet may take to register, in milliseconds. */
const registersWithinMs = 5 * 60_000

/**
 * Sees that Kubernetes knows each node by the server that it has now. After a restore it may know a node by
 * a server that is gone (a provider id cannot be changed), or not at all: such a Node goes. And every kubelet
 * restarts: it makes its Node only then, and remembers pods that it ended, which a snapshot brings back and
 * which would never end a second time. Throws `wait-timeout`.
 */
export async function renewNodes(
  names: readonly string[],
  options: RenewNodesOptions,
): Promise<void> {
  await Promise.all(names.map((name) => renewNode(name, options)))
}

async function renewNode(
  name: string,
  { kubernetes, access, addresses, clock, signal, progress }: RenewNodesOptions,
): Promise<void> {
  const { address, serverId } = addresses.of(name)
  const known = await getNode(kubernetes, name)
  if (!known) progress.step(`${name}: not known`)
  if (known && isOfOtherServer(known, serverId)) {
    progress.step(`${name}: known as ${known.providerId}, which is not its server`)
    await deleteNode(kubernetes, name)
  }
  const onPending = (reason: string) => progress.step(`${name}: ${reason}`)
  const wait = { clock, signal, onPending, withinMs: registersWithinMs }
  await restartKubelet({ name, client: access.talos(address) }, wait)
  await waitFor(
    `${name} to register`,
    async () => {
      const node = await getNode(kubernetes, name)
      return node ? { done: undefined } : { pending: 'its kubelet starts' }
    },
    { clock, signal, everyMs: 1_000, withinMs: registersWithinMs },
  )
}
