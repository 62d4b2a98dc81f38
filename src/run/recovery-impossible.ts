import { ClusterError } from '../lib/cluster-error.ts'

/** `recovery-impossible`: the state of a cluster cannot be, or need not be, recreated out of it. */
export function recoveryImpossible(message: string, hint: string, cause?: unknown): ClusterError {
  return new ClusterError('recovery-impossible', message, {
    operation: 'recover the state',
    hint,
    cause,
  })
}
