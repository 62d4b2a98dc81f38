import { type ApplyInput, applyCluster } from '../commands/apply-cluster.ts'
import type { ApplyStage } from '../commands/apply-stages.ts'
import { type CloseRunOptions, closeRun } from '../commands/close-run.ts'
import { readClusterFileFrom } from '../commands/read-cluster-file.ts'
import { accessOutputs, removeAccessFiles, writeAccessFiles } from './access-files.ts'
import { type Action, type ActionRun, clusterInputs } from './action.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'
import { removeSavedFolder } from './remove-saved-folder.ts'
import { planOutputs, reportPlan } from './report-plan.ts'

/** Says that there is something to undo, and where the run's temporary folder was. */
export const startedKey = 'apply-started'

/** Applies the cluster file, or one stage of it, and leaves kubeconfig and talosconfig for the next steps. */
export async function applyAndReport(
  run: ActionRun,
  { stage, replace }: Pick<ApplyInput, 'stage' | 'replace'> = {},
): Promise<void> {
  const { runner, context } = run
  refuseUntrustedEvent(runner.event, 'an apply')
  const file = await readClusterFileFrom(runner.requiredInput('config'))
  runner.saveState(startedKey, context.tempFolder)
  const { plan } = await applyCluster(context, { file, stage, replace, keepDoorOpen: true })
  await reportPlan(run, file, plan, [])
  if (stage !== 'infra') await writeAccessFiles(run, file)
}

/** Shuts the door, gives the lock back and removes the credentials, whatever became of the job. */
export async function undoApply(run: ActionRun, options: CloseRunOptions = {}): Promise<void> {
  const { runner, context } = run
  await removeAccessFiles(run)
  const formerFolder = runner.savedState(startedKey)
  if (formerFolder === '') return
  // Gone already, unless the step was killed.
  await removeSavedFolder(run, formerFolder)
  await closeRun(context, await readClusterFileFrom(runner.requiredInput('config')), options)
}

/** An action that applies one stage. */
export function stageAction(stage: ApplyStage): Action {
  return {
    inputs: clusterInputs,
    outputs: stage === 'infra' ? planOutputs : [...planOutputs, ...accessOutputs],
    main: (run) => applyAndReport(run, { stage }),
    post: undoApply,
  }
}
