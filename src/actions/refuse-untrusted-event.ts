import type { RunnerEvent } from '../github/runner-event.ts'
import { ClusterError } from '../lib/cluster-error.ts'

/**
 * The events that may change a cluster: what runs on them is the default branch's own workflow, and none carries
 * anything of a pull request. On others (`pull_request_target`, `issue_comment`, `workflow_run`) GITHUB_REF is the
 * default branch too, whatever was checked out, so that the branch alone proves nothing.
 */
export const trustedEvents: readonly string[] = ['push', 'workflow_dispatch', 'schedule']

/**
 * Changes come from the default branch alone, on events of that list: anybody who may write can dispatch a workflow
 * from a branch of their own, with a cluster file that nobody looked at. Throws `usage`.
 */
export function refuseUntrustedEvent(event: RunnerEvent, verb: string): void {
  const { name, defaultBranch, ref } = event
  const branch = defaultBranch ?? 'the default branch'
  if (!trustedEvents.includes(name)) {
    throw new ClusterError('usage', `${verb} on the event ${name || '(none)'} is refused`, {
      hint: `Run it on ${trustedEvents.join(', ')} of ${branch}; other events can carry what nobody merged.`,
    })
  }
  if (defaultBranch === undefined || ref === `refs/heads/${defaultBranch}`) return
  throw new ClusterError('usage', `${verb} from ${ref} is refused`, {
    hint: `Run it from ${branch}: merge the change first.`,
  })
}
