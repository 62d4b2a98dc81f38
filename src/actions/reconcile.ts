import { missingAccess } from '../commands/cluster/missing-access.ts'
import { planCluster } from '../commands/cluster/plan-cluster.ts'
import { readClusterFile } from '../commands/modes/cluster-modes.ts'
import type { RunnerEvent } from '../github/runner-event.ts'
import { refuseErrors } from '../lib/findings-error.ts'
import { escapeMarkdown } from '../plan/markdown-escape.ts'
import { refuseUnapproved } from '../run/approval.ts'
import type { ClusterFile } from '../run/cluster-file.ts'
import type { MissingAccess } from '../run/mode/machine-provider.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { accessOutputs } from './access-files.ts'
import { type ActionRun, defineAction } from './action.ts'
import { applyAndReport, applyInputs, undoApply } from './apply-action.ts'
import { approvalSource } from './approval-source.ts'
import { choiceInput, type InputValues, namesInput } from './input.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'
import { planOutputs, reportPlan } from './report-plan.ts'

const inputs = {
  ...applyInputs,
  mode: choiceInput('What to do: auto (by the event), plan, apply or drift.', [
    'auto',
    'plan',
    'apply',
    'drift',
  ]),
  replace: namesInput(
    'Names of nodes whose servers are to be replaced although nothing differs, such as a control plane that never answers again. For a dispatch by hand: whatever stands here is replaced at each run.',
  ),
}

type Values = InputValues<typeof inputs>

/** What to do: the input decides, or the event. */
type Mode = Exclude<Values['mode'], 'auto'>

/** The whole pipeline in one step: plans on pull requests, applies on push, reports drift on a schedule. */
export const reconcile = defineAction({
  inputs,
  outputs: {
    ...planOutputs,
    ...accessOutputs,
    drift: 'Whether the cluster differs from the file (`true` or `false`); set in mode drift.',
  },
  refuse: (event, read) => void decideMode(read('mode'), event),
  async main(run, values) {
    switch (decideMode(values.mode, run.runner.event)) {
      case 'plan':
        return plan(run, values)
      case 'apply':
        return applyAndReport(run, values, { replace: values.replace })
      case 'drift':
        return reportDrift(run, values)
    }
  },
  post: undoApply,
})

/**
 * What an event asks for. Pull requests and merge queues plan. Pushes, dispatches and re-runs apply, and
 * only from the default branch: anybody who may write can dispatch a workflow from a branch of their own.
 */
export function decideMode(input: Values['mode'], event: RunnerEvent): Mode {
  const mode = input === 'auto' ? modeOf(event.name) : input
  if (mode === 'apply') refuseUntrustedEvent(event, 'an apply')
  return mode
}

function modeOf(eventName: string): Mode {
  if (eventName === 'schedule') return 'drift'
  if (eventName === 'push' || eventName === 'workflow_dispatch') return 'apply'
  return 'plan'
}

async function plan(run: ActionRun, values: Values): Promise<void> {
  const { runner, context } = run
  const file = await readClusterFileFrom(values.config)
  const missing = await missingAccess(context, file)
  if (missing && goesWithout(missing, runner.event)) return await checkAlone(run, file, missing)
  const { replace } = values
  const approvals = isQueued(runner.event) ? approvalSource(run, file, values) : undefined
  const result = await planCluster(context, { file, verb: 'apply', replace, approvals })
  const { plan: planned, approval, spec } = result
  await reportPlan(run, file, planned, result.findings)
  refuseErrors('plan-refused', planned.findings, file.path)
  if (approvals && approval) await refuseUnapproved(approvals, planned, approval, spec)
}

/**
 * Pull requests from forks get no secrets, and rightly so; others may be kept from what a cluster can be changed with.
 * What a merge queue lets pass is applied, so that it always plans.
 */
function goesWithout({ isOptional }: MissingAccess, { name, fromFork }: RunnerEvent): boolean {
  return fromFork || (isOptional && name === 'pull_request')
}

/** The file is checked, and nothing is asked. */
async function checkAlone(
  { runner }: ActionRun,
  file: ClusterFile,
  { what }: MissingAccess,
): Promise<void> {
  const { findings } = readClusterFile(file)
  for (const finding of findings) runner.annotate(file.path, finding)
  const { fromFork } = runner.event
  const reason = fromFork
    ? `The pull request comes from a fork and has ${what}`
    : `There is ${what}`
  await runner.writeSummary(
    `### ${escapeMarkdown(file.path)} is valid\n\n${escapeMarkdown(reason)}: there is no plan.\n`,
  )
  if (!fromFork)
    runner.warn(`there is no plan, since there is ${what}: ${file.path} alone was checked`)
}

/**
 * A merge queue asks before the default branch moves: what the apply of this merge would refuse is refused here, so that it
 * is not merged. Of other branches nothing is applied.
 */
function isQueued({ name, queuedInto, defaultBranch }: RunnerEvent): boolean {
  return name === 'merge_group' && queuedInto === `refs/heads/${defaultBranch}`
}

async function reportDrift(run: ActionRun, values: Values): Promise<void> {
  const { runner, context } = run
  const file = await readClusterFileFrom(values.config)
  const result = await planCluster(context, { file, verb: 'apply' })
  const drifted = result.plan.changes.length > 0 || result.drifted.length > 0
  runner.setOutput('drift', String(drifted))
  await reportPlan(run, file, result.plan, result.findings)
  if (result.plan.changes.length > 0)
    runner.warn(`the cluster differs from ${file.path} in ${result.plan.changes.length} changes`)
  if (result.drifted.length > 0) runner.warn(`changed by hand: ${result.drifted.join(', ')}`)
}
