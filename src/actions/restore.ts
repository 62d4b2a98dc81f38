import { restoreCluster } from '../commands/backup/restore-cluster.ts'
import { readClusterFile } from '../commands/modes/cluster-modes.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { codeBlock } from '../plan/markdown-escape.ts'
import { describeRestore } from '../planner/restore-plan.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { accessOutputs, writeAccessFiles } from './access-files.ts'
import { defineAction } from './action.ts'
import { noteFolder, undoApply } from './apply-action.ts'
import { clusterInputs, typedNameInput } from './cluster-inputs.ts'
import { flagInput, neededInput } from './input.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'

/** Brings a cluster whose etcd is lost back from a snapshot, when its name was typed out. */
export const restore = defineAction({
  inputs: {
    ...clusterInputs,
    snapshot: neededInput('The snapshot: s3://bucket/key or a path.'),
    confirm: typedNameInput,
    'discard-etcd': flagInput(
      'true goes back to the snapshot although etcd is alive; what it holds since then is lost.',
    ),
  },
  outputs: { left: 'How many changes an apply would still make.', ...accessOutputs },
  refuse: (event) => refuseUntrustedEvent(event, 'a restore'),
  async main(run, { config, snapshot, confirm: typed, 'discard-etcd': discardEtcd }) {
    const { runner, context } = run
    const file = await readClusterFileFrom(config)
    const { clusterName } = readClusterFile(file).spec
    if (typed !== clusterName) {
      throw new ClusterError('not-confirmed', `the input confirm is not ${clusterName}`, {
        hint: 'Type the name of the cluster that is to be restored.',
      })
    }
    noteFolder(run)
    const { left } = await restoreCluster(context, {
      file,
      snapshot,
      discardEtcd,
      keepRule: true,
      async confirm(plan) {
        await runner.writeSummary(codeBlock(describeRestore(plan)))
        return true
      },
    })
    runner.setOutput('left', String(left))
    if (left > 0) runner.warn(`${left} changes are left: an apply makes them`)
    await writeAccessFiles(run, file)
  },
  post: undoApply,
})
