import { planCluster } from '../commands/cluster/plan-cluster.ts'
import type { RunnerEvent } from '../github/runner-event.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { refuseErrors } from '../lib/findings-error.ts'
import { escapeMarkdown } from '../plan/markdown-escape.ts'
import { refuseUnapproved } from '../run/approval.ts'
import { readClusterFile } from '../run/cluster-session.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { accessOutputs } from './access-files.ts'
import type { Action, ActionRun } from './action.ts'
import { applyAndReport, applyInputs, undoApply } from './apply-action.ts'
import { approvalSource } from './approval-source.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'
import { planOutputs, reportPlan } from './report-plan.ts'

/** What to do: said by the input, or found out from the event. */
export type Mode = 'plan' | 'apply' | 'drift'

/** The whole pipeline in one step: plans on pull requests, applies on push, reports drift on a schedule. */
export const reconcile: Action = {
  inputs: [...applyInputs, 'mode', 'replace'],
  outputs: [...planOutputs, ...accessOutputs, 'drift'],
  async main(run) {
    switch (decideMode(run.runner.input('mode'), run.runner.event)) {
      case 'plan':
        return plan(run)
      case 'apply':
        return applyAndReport(run, { replace: nodesToReplace(run) })
      case 'drift':
        return reportDrift(run)
    }
  },
  post: undoApply,
}

/**
 * What an event asks for. Pull requests and merge queues plan. Pushes, dispatches and re-runs apply, and
 * only from the default branch: anybody who may write can dispatch a workflow from a branch of their own.
 */
export function decideMode(input: string, event: RunnerEvent): Mode {
  const mode = input === '' || input === 'auto' ? modeOf(event.name) : input
  if (mode !== 'plan' && mode !== 'apply' && mode !== 'drift') {
    throw new ClusterError('usage', `mode is ${input}, and must be auto, plan, apply or drift`)
  }
  if (mode === 'apply') refuseUntrustedEvent(event, 'an apply')
  return mode
}

/** Names, with spaces, commas or line ends between them. */
function nodesToReplace({ runner }: ActionRun): string[] {
  return runner
    .input('replace')
    .split(/[\s,]+/)
    .filter(Boolean)
}

function modeOf(eventName: string): string {
  if (eventName === 'schedule') return 'drift'
  if (eventName === 'push' || eventName === 'workflow_dispatch') return 'apply'
  return 'plan'
}

async function plan(run: ActionRun): Promise<void> {
  const { runner, context } = run
  const file = await readClusterFileFrom(runner.requiredInput('config'))
  if (context.hetznerToken === undefined && runner.event.fromFork) {
    // Pull requests from forks get no secrets, and rightly so: the file is checked, nothing is asked.
    const { findings } = readClusterFile(file)
    for (const finding of findings) runner.annotate(file.path, finding)
    await runner.writeSummary(
      `### ${escapeMarkdown(file.path)} is valid\n\nThe pull request comes from a fork and has no token: there is no plan.\n`,
    )
    return
  }
  const replace = nodesToReplace(run)
  const approvals = isQueued(runner.event) ? approvalSource(run, file) : undefined
  const result = await planCluster(context, { file, verb: 'apply', replace, approvals })
  const { plan: planned, approval, spec } = result
  await reportPlan(run, file, planned, result.findings)
  refuseErrors('plan-refused', planned.findings, file.path)
  if (approvals && approval) await refuseUnapproved(approvals, planned, approval, spec)
}

/**
 * A merge queue asks before the default branch moves: what the apply of this merge would refuse is refused here, so that it
 * is not merged. Of other branches nothing is applied.
 */
function isQueued({ name, queuedInto, defaultBranch }: RunnerEvent): boolean {
  return name === 'merge_group' && queuedInto === `refs/heads/${defaultBranch}`
}

async function reportDrift(run: ActionRun): Promise<void> {
  const { runner, context } = run
  const file = await readClusterFileFrom(runner.requiredInput('config'))
  const result = await planCluster(context, { file, verb: 'apply' })
  const drifted = result.plan.changes.length > 0 || result.drifted.length > 0
  runner.setOutput('drift', String(drifted))
  await reportPlan(run, file, result.plan, result.findings)
  if (result.plan.changes.length > 0)
    runner.warn(`the cluster differs from ${file.path} in ${result.plan.changes.length} changes`)
  if (result.drifted.length > 0) runner.warn(`changed by hand: ${result.drifted.join(', ')}`)
}
