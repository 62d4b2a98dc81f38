import { getResource } from '../api/resources.ts'
import { talosApi } from '../api/talos-api.ts'
import type { TalosConnection } from '../api/talos-caller.ts'
import { isTransient, statusCode } from '../api/talos-status.ts'

/**
 * What a configured control plane has of etcd. `alive`: a member that sees a leader, so its cluster goes
 * on; `data`: a member of a cluster that does not; `empty`: none, and it waits for etcd to begin or to
 * join; `unclear`: it is on its way, ask again.
 */
export type EtcdCondition = 'alive' | 'data' | 'empty' | 'unclear'

const localMember = { namespace: 'etcd', type: 'EtcdMembers.etcd.talos.dev' }

/**
 * Looks at one control plane, and changes nothing. A node without data keeps its etcd in the state
 * Preparing (Talos's own disaster recovery looks for the same). Throws what cannot be asked.
 */
export async function judgeEtcd(client: TalosConnection): Promise<EtcdCondition> {
  const { services } = await talosApi(client).machine.serviceList()
  const etcd = services.find(({ id }) => id === 'etcd')
  const isMember = (await getResource(client, localMember, 'local')) !== undefined
  if (etcd?.state === 'Running' || isMember) {
    return (await seesLeader(client)) ? 'alive' : 'data'
  }
  if (etcd?.state === 'Preparing') return 'empty'
  return etcd?.state === 'Failed' || etcd?.state === 'Finished' ? 'data' : 'unclear'
}

async function seesLeader(client: TalosConnection): Promise<boolean> {
  try {
    const { memberStatus } = await talosApi(client).machine.etcdStatus({ timeoutMs: 5_000 })
    return memberStatus !== undefined && memberStatus.leader !== 0n
  } catch (error) {
    client.throwIfAborted()
    // The node itself answered a moment ago: this is its etcd that does not.
    if (isTransient(error) || statusCode(error) !== undefined) return false
    throw error
  }
}
