import { ClusterError } from '../lib/cluster-error.ts'
import type { KnownCluster } from './known-cluster.ts'

/**
 * Stops before anything is planned for nodes that were made with secrets which the state no longer
 * holds: new ones would fit none of them. A destroy needs none and does not ask. Throws `state-corrupt`.
 */
export function refuseLostSecrets({ generation, spec }: KnownCluster): void {
  if (!generation || generation.hasSecrets) return
  const { bootstrapped, nodes } = generation.inventory
  const isMade = bootstrapped || nodes.some(({ configDigest }) => configDigest !== undefined)
  if (!isMade) return
  const { clusterName, state } = spec
  throw new ClusterError(
    'state-corrupt',
    `the secrets of ${clusterName} are no longer in its state`,
    {
      operation: 'read the state of',
      target: clusterName,
      hint: `Restore an earlier commit of the branch ${state.branch}: no cluster can be entered with new secrets.`,
    },
  )
}
