import { ClusterError } from '../lib/cluster-error.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'

/** `cluster-unknown`: the state branch knows nothing of the cluster that something is asked of. */
export function clusterUnknown(
  { clusterName, state }: ClusterSpec,
  operation: string,
): ClusterError {
  return new ClusterError(
    'cluster-unknown',
    `the branch ${state.branch} knows no cluster ${clusterName}`,
    {
      operation,
      target: clusterName,
      hint: 'Check clusterName, state.branch and the repository; apply the cluster file first.',
    },
  )
}
