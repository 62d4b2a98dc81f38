import { snapshotCluster } from '../commands/backup/snapshot-cluster.ts'
import { escapeMarkdown, inlineCode } from '../plan/markdown-escape.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { type Action, clusterInputs } from './action.ts'
import { noteFolder, undoApply } from './apply-action.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'

/** Takes a snapshot of etcd into a file or an object storage. */
export const snapshot: Action = {
  inputs: [...clusterInputs, 'to'],
  outputs: ['place', 'digest', 'size'],
  async main(run) {
    const { runner, context } = run
    // A file of another branch could name other recipients.
    refuseUntrustedEvent(runner.event, 'a snapshot')
    const file = await readClusterFileFrom(runner.requiredInput('config'))
    const to = runner.requiredInput('to')
    noteFolder(run)
    const taken = await snapshotCluster(context, { file, to, keepRule: true })
    runner.setOutput('place', taken.place)
    runner.setOutput('digest', taken.digest)
    runner.setOutput('size', String(taken.stored))
    const { place, node, takenAt, stored, quorum } = taken
    const survived = quorum ? '' : ', a survivor of an etcd that has lost its quorum,'
    const source = `${escapeMarkdown(node)}${survived} at ${escapeMarkdown(takenAt)}`
    await runner.writeSummary(
      `A snapshot of etcd, taken of ${source}: ${inlineCode(place)} (${stored} bytes).\n`,
    )
  },
  post: undoApply,
}
