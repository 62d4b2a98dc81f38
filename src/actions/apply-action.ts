import { applyCluster } from '../commands/cluster/apply-cluster.ts'
import { closeRun } from '../commands/cluster/close-run.ts'
import type { ApplyInput } from '../commands/modes/apply-in-mode.ts'
import type { ApplyStage } from '../planner/apply-stages.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { accessOutputs, removeAccessFiles, writeAccessFiles } from './access-files.ts'
import { type Action, type ActionRun, clusterInputs } from './action.ts'
import { approvalSource } from './approval-source.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'
import { removeSavedFolder } from './remove-saved-folder.ts'
import { planOutputs, reportPlan } from './report-plan.ts'

/** Where the run's temporary folder was. */
const folderKey = 'apply-started'

/** Inputs of every action that applies. */
export const applyInputs = [...clusterInputs, 'approve', 'confirm'] as const

/** Applies the cluster file, or one stage of it, and leaves kubeconfig and talosconfig for the next steps. */
export async function applyAndReport(
  run: ActionRun,
  { stage, replace }: Pick<ApplyInput, 'stage' | 'replace'> = {},
): Promise<void> {
  const { runner, context } = run
  refuseUntrustedEvent(runner.event, 'an apply')
  const file = await readClusterFileFrom(runner.requiredInput('config'))
  noteFolder(run)
  const { plan } = await applyCluster(context, {
    file,
    stage,
    replace,
    approvals: approvalSource(run, file),
    typedName: async () => runner.input('confirm') || undefined,
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
  return {
    inputs: applyInputs,
    outputs: stage === 'infra' ? planOutputs : [...planOutputs, ...accessOutputs],
    main: (run) => applyAndReport(run, { stage }),
    post: undoApply,
  }
}
