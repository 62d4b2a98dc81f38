import { restoreCluster } from '../commands/backup/restore-cluster.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { codeBlock } from '../plan/markdown-escape.ts'
import { describeRestore } from '../planner/plan-restore.ts'
import { readClusterFile } from '../run/cluster-session.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { accessOutputs, writeAccessFiles } from './access-files.ts'
import { type Action, clusterInputs } from './action.ts'
import { noteFolder, undoApply } from './apply-action.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'

/** Brings a cluster whose etcd is lost back from a snapshot, when its name was typed out. */
export const restore: Action = {
  inputs: [...clusterInputs, 'snapshot', 'confirm', 'discard-etcd'],
  outputs: ['left', ...accessOutputs],
  async main(run) {
    const { runner, context } = run
    refuseUntrustedEvent(runner.event, 'a restore')
    const file = await readClusterFileFrom(runner.requiredInput('config'))
    const { clusterName } = readClusterFile(file).spec
    if (runner.input('confirm') !== clusterName) {
      throw new ClusterError('not-confirmed', `the input confirm is not ${clusterName}`, {
        hint: 'Type the name of the cluster that is to be restored.',
      })
    }
    const snapshot = runner.requiredInput('snapshot')
    const discardEtcd = readFlag(runner.input('discard-etcd'))
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
}

function readFlag(text: string): boolean {
  if (text === 'true') return true
  if (text === '' || text === 'false') return false
  throw new ClusterError('usage', 'the input discard-etcd is neither true nor false', {
    hint: 'Leave it out unless etcd is alive and is to be discarded.',
  })
}
