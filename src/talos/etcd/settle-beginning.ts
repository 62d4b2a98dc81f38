import { status } from '@grpc/grpc-js'
import { statusCode } from '../api/talos-status.ts'

/**
 * Asks a node to begin its etcd: true also where an earlier call did it and its answer was lost, false where
 * it is too early.
 */
export async function settleBeginning(begin: () => Promise<unknown>): Promise<boolean> {
  try {
    await begin()
    return true
  } catch (error) {
    const code = statusCode(error)
    // The data directory is not empty: an earlier call did it.
    if (code === status.ALREADY_EXISTS) return true
    // Its clock is not in time yet, or its services are still starting.
    if (code === status.FAILED_PRECONDITION) return false
    throw error
  }
}
