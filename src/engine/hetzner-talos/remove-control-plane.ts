import { deleteNode } from '../../kubernetes/nodes.ts'
import { talosApi } from '../../talos/api/talos-api.ts'
import type { TalosConnection } from '../../talos/api/talos-caller.ts'
import { askAny } from '../../talos/ask-any.ts'
import type { ControlPlane } from '../../talos/control-plane.ts'
import { isMemberOf, type MemberName } from '../../talos/etcd/etcd-member.ts'
import { leaveEtcdCluster } from '../../talos/etcd/leave-etcd.ts'
import { waitForHealthyEtcd } from '../../talos/etcd/wait-for-healthy-etcd.ts'
import { emptyClusterNode, type RemoveNodeOptions } from '../remove-cluster-node.ts'

export interface RemoveControlPlaneOptions extends RemoveNodeOptions {
  readonly leaving: MemberName
  /** A connection to it; absent where its server is gone. */
  readonly client: TalosConnection | undefined
  readonly staying: readonly [ControlPlane, ...ControlPlane[]]
  /** Nodes other than these whose members may be there or not. */
  readonly besides: readonly MemberName[]
}

/** How long etcd may take to be healthy before and after a member leaves, in milliseconds. */
const healthyWithinMs = 10 * 60_000

/**
 * Takes a control plane out of its cluster, so that its server may go: etcd is healthy without it, it is
 * drained, its member leaves and nobody lists it any more, etcd is healthy again, Kubernetes forgets it.
 * What is done already is not done again. Throws `wait-timeout` where etcd is not healthy, `drain-blocked`,
 * `etcd-leave-failed`: as long as it throws, its server must not be deleted.
 */
export async function removeControlPlane(options: RemoveControlPlaneOptions): Promise<void> {
  const { leaving, client, staying, kubernetes, clock, signal, progress } = options
  const { name } = leaving
  const onPending = (reason: string) => progress.step(`${name} waits: ${reason}`)
  const wait = { clock, signal, withinMs: healthyWithinMs, onPending }
  const besides = [...options.besides, leaving]
  if (await isMember(options)) await waitForHealthyEtcd(staying, { ...wait, besides })
  await emptyClusterNode(name, options)
  // It may have joined in the meantime, and a member that was drained leaves all the same.
  if (await isMember(options)) {
    progress.step(`${name}: leaving etcd`)
    await leaveEtcdCluster({ leaving, client, staying, clock, signal, onPending })
    await waitForHealthyEtcd(staying, { ...wait, besides: options.besides })
  }
  await deleteNode(kubernetes, name)
}

async function isMember({ staying, leaving }: RemoveControlPlaneOptions): Promise<boolean> {
  const { members } = await askAny(staying, (client) => talosApi(client).machine.etcdMemberList())
  return members.some((member) => isMemberOf(member, leaving))
}
