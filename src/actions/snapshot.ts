import { snapshotCluster } from '../commands/backup/snapshot-cluster.ts'
import { escapeMarkdown, inlineCode } from '../plan/markdown-escape.ts'
import { readClusterFileFrom } from '../run/read-cluster-file.ts'
import { defineAction } from './action.ts'
import { noteFolder, undoApply } from './apply-action.ts'
import { clusterInputs } from './cluster-inputs.ts'
import { neededInput } from './input.ts'
import { refuseUntrustedEvent } from './refuse-untrusted-event.ts'

/** Takes a snapshot of etcd into a file or an object storage. */
export const snapshot = defineAction({
  inputs: {
    ...clusterInputs,
    to: neededInput(
      'Where it goes: s3://bucket/key or a path; one that ends in / gets a name with the time. What is there is never replaced.',
    ),
  },
  outputs: {
    place: 'Where the snapshot is.',
    digest: 'SHA-256 of the plain snapshot, as etcd wrote it at its end.',
    size: 'Bytes of the encrypted snapshot.',
  },
  // A file of another branch could name other recipients.
  refuse: (event) => refuseUntrustedEvent(event, 'a snapshot'),
  async main(run, { config, to }) {
    const { runner, context } = run
    const file = await readClusterFileFrom(config)
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
})
