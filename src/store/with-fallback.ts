import { isClusterError } from '../lib/cluster-error.ts'
import type { PrivateRepository } from './git/private-repository.ts'

/**
 * Does work that ends in a push; where the remote takes no pushes and its API is at hand, once more by that,
 * and so does the rest of the run. The work makes its commits itself: by the API they are other ones.
 */
export async function withFallback<Result>(
  repository: PrivateRepository,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isClusterError(error, 'state-push-refused') || !repository.publishByApi()) throw error
    return await work()
  }
}
