import { ClusterError } from '../../lib/cluster-error.ts'
import type { LockLoss } from './held-lock.ts'
import { leaseMs } from './lock-record.ts'

/** `state-fenced`: the run may do nothing any more, as the lock is another's, or may be. */
export function lockLost(loss: LockLoss, cluster: string): ClusterError {
  const message =
    loss === 'taken'
      ? 'another run took the lock of the cluster over'
      : `the lock of the cluster could not be renewed for ${leaseMs / 60_000} min, so another run may take it`
  const hint =
    loss === 'taken'
      ? 'Look at the run that has the lock; then run again, which continues from what it left.'
      : 'Make sure that the repository can be reached, then run again: it continues from what is there.'
  return new ClusterError('state-fenced', message, {
    operation: 'continue with',
    target: cluster,
    hint,
  })
}
