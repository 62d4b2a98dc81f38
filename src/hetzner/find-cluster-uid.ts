import { ClusterError } from '../lib/cluster-error.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { ApiServer } from './api/servers.ts'

/**
 * The uid that a cluster of this name carries at Hetzner, for a run whose state has forgotten it: the one
 * that its servers and its firewall are labelled with. Throws `recovery-impossible` where there is none, or
 * more than one, or a server that says of which cluster it is and does not carry the uid: it may be a node.
 */
export async function findClusterUid(client: HetznerClient, clusterName: string): Promise<string> {
  const [servers, firewalls] = await Promise.all([
    client.servers.list({ label_selector: `cluster=${clusterName}` }),
    client.firewalls.list(),
  ])
  const own = [...servers, ...firewalls].filter(({ labels }) => labels['cluster'] === clusterName)
  const uids = new Set(own.flatMap(({ labels }) => labels['uid'] ?? []))
  const [uid, ...others] = uids
  refuseUnmarked(servers, clusterName)
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
        ? 'Check clusterName, and that the token is one of the right project.'
        : 'Remove the remains of the one that is no longer used yourself.',
  })
}

function refuseUnmarked(servers: readonly ApiServer[], clusterName: string): void {
  const unmarked = servers.filter(({ labels }) => labels['uid'] === undefined)
  const [first] = unmarked
  if (!first) return
  throw new ClusterError(
    'recovery-impossible',
    `the server ${first.name} (id ${first.id}) is labelled as one of ${clusterName}, but carries no uid`,
    {
      operation: 'find',
      target: clusterName,
      hint: 'If it is a node, put the label uid of the other nodes back on it; else take the label cluster off it.',
    },
  )
}
