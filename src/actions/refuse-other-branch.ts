import type { RunnerEvent } from '../github/runner-event.ts'
import { ClusterError } from '../lib/cluster-error.ts'

/**
 * Changes come from the default branch alone: anybody who may write can dispatch a workflow from a
 * branch of their own, with a cluster file that nobody looked at. Throws `usage`.
 */
export function refuseOtherBranch({ defaultBranch, ref }: RunnerEvent, verb: string): void {
  if (defaultBranch === undefined || ref === `refs/heads/${defaultBranch}`) return
  throw new ClusterError('usage', `${verb} from ${ref} is refused`, {
    hint: `run it from ${defaultBranch}: merge the change first`,
  })
}
