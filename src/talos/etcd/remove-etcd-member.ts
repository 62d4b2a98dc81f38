import { ClusterError } from '../../lib/cluster-error.ts'
import { talosApi } from '../api/talos-api.ts'
import { askAny } from '../ask-any.ts'
import type { ControlPlane } from '../control-plane.ts'

/**
 * Takes a member that is gone, or is about to go, out of etcd by its id, through the first of the control
 * planes that stay which answers, and looks again. Returns whether that one still listed it. Fails closed:
 * as long as this throws, the member's server must not be deleted. Throws `etcd-unhealthy` when those that
 * stay would not be a majority or still list it, and the Talos failure when none can be asked.
 */
export async function removeEtcdMember(
  staying: readonly [ControlPlane, ...ControlPlane[]],
  memberId: bigint,
): Promise<boolean> {
  return askAny(staying, (client, name) => removeThrough({ client, name }, memberId))
}

async function removeThrough({ client, name }: ControlPlane, memberId: bigint): Promise<boolean> {
  const { machine } = talosApi(client)
  const { members: before } = await machine.etcdMemberList()
  const others = before.filter(({ id }) => id !== memberId)
  if (others.length === before.length) return false
  const started = others.filter(({ clientUrls, isLearner }) => clientUrls.length > 0 && !isLearner)
  if (started.length <= before.length / 2) {
    throw unhealthy(
      `only ${started.length} of ${before.length} etcd members would be left to decide`,
      name,
    )
  }
  await machine.etcdRemoveMemberById(memberId)
  const { members: after } = await machine.etcdMemberList()
  if (after.some(({ id }) => id === memberId)) {
    throw unhealthy('etcd still lists the member that was removed', name)
  }
  return true
}

function unhealthy(message: string, target: string): ClusterError {
  return new ClusterError('etcd-unhealthy', message, {
    operation: 'remove an etcd member',
    target,
    hint: 'Make etcd healthy first: `hcloud-talos talos etcd members` and `hcloud-talos talos etcd status` show who is missing.',
  })
}
