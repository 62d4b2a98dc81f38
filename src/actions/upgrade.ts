import { upgradeCluster } from '../commands/cluster/upgrade-cluster.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { accessOutputs, writeAccessFiles } from './access-files.ts'
import { type Action, clusterInputs } from './action.ts'
import { noteFolder, undoApply } from './apply-action.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'
import { planOutputs, reportPlan } from './report-plan.ts'

/** Brings the cluster to the versions of the file, one step at a time. */
export const upgrade: Action = {
  inputs: [...clusterInputs, 'approve'],
  outputs: [...planOutputs, ...accessOutputs],
  async main(run) {
    const { runner, context } = run
    refuseUntrustedEvent(runner.event, 'an upgrade')
    const file = await readClusterFileFrom(runner.requiredInput('config'))
    noteFolder(run)
    const { plan } = await upgradeCluster(context, {
      file,
      button: {
        pressed: runner.event.name === 'workflow_dispatch',
        typed: runner.input('approve') || undefined,
        showStopped: (stopped) => reportPlan(run, file, stopped, []),
      },
      keepRule: true,
    })
    await reportPlan(run, file, plan, [])
    await writeAccessFiles(run, file)
  },
  post: undoApply,
}
