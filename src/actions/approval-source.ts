import { findApprovals } from '../github/find-approvals.ts'
import type { ApprovalSource } from '../run/approval.ts'
import type { ClusterFile } from '../run/cluster-file.ts'
import type { ActionRun } from './action.ts'
import { reportPlan } from './report-plan.ts'

interface ApprovalInputs {
  readonly approve: string | undefined
  readonly 'github-token': string | undefined
}

/** Where an apply in a workflow learns what was approved: pull requests, or what was typed into a dispatch. */
export function approvalSource(
  run: ActionRun,
  file: ClusterFile,
  { approve: typed, 'github-token': token }: ApprovalInputs,
): ApprovalSource {
  const { runner, context, environment } = run
  const { owner, repository, sha, ref, queuedInto } = runner.event
  return {
    typed,
    // What a queue plans is shown whether it stops or not.
    showStopped: async (plan) => {
      if (queuedInto === undefined) await reportPlan(run, file, plan, [])
    },
    ...(queuedInto !== undefined && {
      approveAgain:
        'Take the pull request out of the queue, re-run its plan job, review the new plan, and queue it again.',
    }),
    async find(query) {
      if (token === undefined) return { plans: [], problems: ['the input github-token is empty'] }
      const place = {
        token,
        apiUrl: environment['GITHUB_API_URL'] || 'https://api.github.com',
        owner,
        repository,
        commit: sha,
        // A run of any other ref changes nothing.
        defaultBranch: (queuedInto ?? ref).replace(/^refs\/heads\//, ''),
        queue: queuedInto === undefined ? undefined : ref,
        folder: context.state.folder,
        clock: context.clock,
        signal: context.signal,
        record: context.record,
      }
      return findApprovals(place, query)
    },
  }
}
