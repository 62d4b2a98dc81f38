import { upgradeCluster } from '../commands/cluster/upgrade-cluster.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { accessOutputs, writeAccessFiles } from './access-files.ts'
import { defineAction } from './action.ts'
import { noteFolder, undoApply } from './apply-action.ts'
import { clusterInputs } from './cluster-inputs.ts'
import { textInput } from './input.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'
import { planOutputs, reportPlan } from './report-plan.ts'

/** Brings the cluster to the versions of the file, one step at a time. */
export const upgrade = defineAction({
  inputs: {
    ...clusterInputs,
    approve: textInput(
      'The first 12 or more digits of the plan that is to be carried out, as a run that stopped shows it. Without it, a dispatch by hand brings the cluster to the versions of the file, and other events do no more than policy.unapproved lets them.',
    ),
  },
  outputs: { ...planOutputs, ...accessOutputs },
  refuse: (event) => refuseUntrustedEvent(event, 'an upgrade'),
  async main(run, { config, approve: typed }) {
    const { runner, context } = run
    const file = await readClusterFileFrom(config)
    noteFolder(run)
    const { plan } = await upgradeCluster(context, {
      file,
      button: {
        pressed: runner.event.name === 'workflow_dispatch',
        typed,
        showStopped: (stopped) => reportPlan(run, file, stopped, []),
      },
      keepRule: true,
    })
    await reportPlan(run, file, plan, [])
    await writeAccessFiles(run, file)
  },
  post: undoApply,
})
