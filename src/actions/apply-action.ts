import { applyCluster } from '../commands/cluster/apply-cluster.ts'
import { closeRun } from '../commands/cluster/close-run.ts'
import type { ApplyInput } from '../commands/modes/apply-in-mode.ts'
import type { ApplyStage } from '../planner/apply-stages.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { accessOutputs, removeAccessFiles, writeAccessFiles } from './access-files.ts'
import { type Action, type ActionRun, defineAction } from './action.ts'
import { approvalSource } from './approval-source.ts'
import { clusterInputs } from './cluster-inputs.ts'
import { type InputValues, textInput } from './input.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'
import { removeSavedFolder } from './remove-saved-folder.ts'
import { planOutputs, reportPlan } from './report-plan.ts'

/** Where the run's temporary folder was. */
const folderKey = 'apply-started'

/** Inputs of every action that applies. */
export const applyInputs = {
  ...clusterInputs,
  approve: textInput(
    'For a dispatch by hand: the first 12 or more digits of the plan that is to be carried out, as a run that stopped shows it. Without it, an apply carries out what merged pull requests showed, and beyond that no higher risk than policy.unapproved.',
  ),
  confirm: textInput(
    'For a dispatch by hand: the name of the cluster, typed out, where the plan asks for it because the traffic of pods ends.',
  ),
}

/** Applies the cluster file, or one stage of it, and leaves kubeconfig and talosconfig for the next steps. */
export async function applyAndReport(
  run: ActionRun,
  inputs: InputValues<typeof applyInputs>,
  { stage, replace }: Pick<ApplyInput, 'stage' | 'replace'> = {},
): Promise<void> {
  const { context } = run
  const file = await readClusterFileFrom(inputs.config)
  noteFolder(run)
  const { plan } = await applyCluster(context, {
    file,
    stage,
    replace,
    approvals: approvalSource(run, file, inputs),
    typedName: async () => inputs.confirm,
    keepRule: true,
  })
  await reportPlan(run, file, plan, [])
  if (stage !== 'infra') await writeAccessFiles(run, file)
}

/** Notes where the run's temporary folder is, so that `post` removes it if this step is killed. */
export function noteFolder({ runner, context }: ActionRun): void {
  runner.saveState(folderKey, context.tempFolder)
}

/**
 * Deletes the temporary firewall rule, gives the lock back and removes the credentials, whatever became of the job.
 * It reads no file of the workspace: later steps of the job may have checked something else out.
 */
export async function undoApply(run: ActionRun): Promise<void> {
  const { runner, context, note } = run
  await removeAccessFiles(run)
  // Gone already, unless the step was killed.
  await removeSavedFolder(run, runner.savedState(folderKey))
  const held = note.read()
  if (held === 'forged') {
    runner.warn(
      'the saved state of this step is not as the step wrote it: nothing was done by it; the next run deletes what is left',
    )
  } else if (held) await closeRun(context, held)
}

/** An action that applies one stage. */
export function stageAction(stage: ApplyStage): Action {
  return defineAction({
    inputs: applyInputs,
    outputs: stage === 'infra' ? planOutputs : { ...planOutputs, ...accessOutputs },
    refuse: (event) => refuseUntrustedEvent(event, 'an apply'),
    main: (run, inputs) => applyAndReport(run, inputs, { stage }),
    post: undoApply,
  })
}
