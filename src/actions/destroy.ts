import { destroyCluster } from '../commands/cluster/destroy-cluster.ts'
import { readClusterFile } from '../commands/modes/cluster-modes.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { renderPlanMarkdown } from '../plan/render-markdown.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { defineAction } from './action.ts'
import { noteFolder, undoApply } from './apply-action.ts'
import { clusterInputs, typedNameInput } from './cluster-inputs.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'

/** Deletes the cluster of the file, when its name was typed out. */
export const destroy = defineAction({
  inputs: { ...clusterInputs, confirm: typedNameInput },
  outputs: { deleted: 'How many resources were deleted.' },
  refuse: (event) => refuseUntrustedEvent(event, 'a destroy'),
  async main(run, { config, confirm: typed }) {
    const { runner, context } = run
    const file = await readClusterFileFrom(config)
    const { clusterName } = readClusterFile(file).spec
    if (typed !== clusterName) {
      throw new ClusterError('not-confirmed', `the input confirm is not ${clusterName}`, {
        hint: 'Type the name of the cluster that is to be destroyed.',
      })
    }
    noteFolder(run)
    const result = await destroyCluster(context, {
      file,
      keepRule: true,
      async confirm(plan) {
        await runner.writeSummary(renderPlanMarkdown(plan, (text) => context.redactor.redact(text)))
        return true
      },
    })
    runner.setOutput('deleted', String(result.plan.changes.length))
    for (const name of result.kept) runner.warn(`the volume ${name} was kept`)
  },
  post: undoApply,
})
