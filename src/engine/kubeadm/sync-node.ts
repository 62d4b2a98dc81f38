import { nodeTaints } from '../../kubeadm/config/node-registration.ts'
import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { getNode, nodeRef } from '../../kubernetes/nodes.ts'
import { syncTaints } from '../../kubernetes/sync-taints.ts'
import type { InventoryHost } from '../../plan/inventory.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { Taint } from '../../spec/cluster-spec.ts'
import type { HostSpec, HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import type { HostsWork } from './cluster-hosts.ts'
import { recordHost } from './record-host.ts'

/** What the last apply gave a node, and what of that the file does not name any more is taken away. */
type GivenToNode = NonNullable<InventoryHost['given']>

export interface SyncOptions extends Pick<HostsWork, 'view' | 'recorder'> {
  readonly context: Pick<RunContext, 'clock' | 'random' | 'signal'>
}

/**
 * Brings the labels and taints of a node to what the file says, and notes what it was given. A kubelet may not set labels of
 * roles itself, so that they are given here. What others gave it stays.
 */
export async function syncNode(
  kubernetes: KubernetesClient,
  host: HostSpec,
  { view, recorder, context }: SyncOptions,
): Promise<void> {
  const former = recorder.inventory.nodes.find(({ name }) => name === host.name)?.host?.given
  const given = await giveTo(kubernetes, host, { spec: view.spec, former, context })
  recordHost(recorder, view, host, { given })
}

async function giveTo(
  kubernetes: KubernetesClient,
  host: HostSpec,
  {
    spec,
    former,
    context,
  }: Pick<SyncOptions, 'context'> & {
    readonly spec: HostsSpec
    readonly former: GivenToNode | undefined
  },
): Promise<GivenToNode> {
  const { name, labels } = host
  const wanted = nodeTaints(spec, host)
  const gone = (former?.labels ?? []).filter((key) => !(key in labels))
  const node = await getNode(kubernetes, name)
  const isOther = Object.entries(labels).some(([key, value]) => node?.labels[key] !== value)
  if (isOther || gone.some((key) => node?.labels[key] !== undefined)) {
    const removed = Object.fromEntries(gone.map((key) => [key, null]))
    await kubernetes.patch(nodeRef(name), { metadata: { labels: { ...removed, ...labels } } })
  }
  await syncTaints(kubernetes, name, { former: formerTaints(former), wanted }, context)
  return {
    labels: Object.keys(labels).sort(),
    taints: wanted.map(({ key, effect }) => `${key}:${effect}`).sort(),
  }
}

/** By key and effect, which is all that tells taints apart. */
function formerTaints(given: GivenToNode | undefined): Taint[] {
  return (given?.taints ?? []).flatMap((text) => {
    const at = text.lastIndexOf(':')
    const effect = effects.find((one) => one === text.slice(at + 1))
    return effect === undefined ? [] : [{ key: text.slice(0, at), effect }]
  })
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const satisfies Taint['effect'][]
