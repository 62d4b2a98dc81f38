import { ClusterError } from '../lib/cluster-error.ts'
import type { HetznerClient } from './api/hetzner-client.ts'

/**
 * The uid that a cluster of this name carries at Hetzner, for a run whose state has forgotten it: the one
 * that its servers and its firewall are labelled with. Throws `recovery-impossible` where there is none, or
 * more than one.
 */
export async function findClusterUid(client: HetznerClient, clusterName: string): Promise<string> {
  const [servers, firewalls] = await Promise.all([
    client.servers.list({ label_selector: `cluster=${clusterName}` }),
    client.firewalls.list(),
  ])
  const own = [...servers, ...firewalls].filter(({ labels }) => labels['cluster'] === clusterName)
  const uids = new Set(own.flatMap(({ labels }) => labels['uid'] ?? []))
  const [uid, ...others] = uids
  if (uid !== undefined && others.length === 0) return uid
  const found =
    uid === undefined
      ? `no server and no firewall of the project is of a cluster ${clusterName}`
      : `the project has clusters ${clusterName} with the uids ${[...uids].sort().join(' and ')}`
  throw new ClusterError('recovery-impossible', found, {
    operation: 'find',
    target: clusterName,
    hint:
      uid === undefined
        ? 'check clusterName, and that the token is one of the right project'
        : 'remove the remains of the one that is no longer used yourself',
  })
}
