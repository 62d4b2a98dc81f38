import { ClusterError } from '../lib/cluster-error.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'

/** `cluster-unknown`: something was asked of a cluster that was never applied, or of another branch or project. */
export function clusterUnknown(
  { clusterName, state: { branch } }: ClusterSpec,
  operation: string,
): ClusterError {
  return new ClusterError(
    'cluster-unknown',
    `the branch ${branch} knows no cluster ${clusterName}`,
    {
      operation,
      target: clusterName,
      hint: 'apply the cluster file first; if it was, check clusterName, state.branch and the repository',
    },
  )
}
