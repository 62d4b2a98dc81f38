import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { argument } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'

/** Takes a snapshot of etcd and reports where it is. */
export const snapshot = defineCommand({
  name: 'snapshot',
  description: 'take a snapshot of etcd, encrypted for the recipients of the file',
  examples: [
    { purpose: 'into a folder, named after the time', line: 'backups/' },
    { purpose: 'into an object storage', line: 's3://my-bucket/demo/' },
  ],
  takes: {
    ...clusterSettings(),
    to: argument('<place>', 'a file or s3://bucket/key; one that ends in / gets a name'),
  },
  async run({ terminal, openContext }, { config, json, to }) {
    const { snapshotCluster } = await import('../../../commands/backup/snapshot-cluster.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const taken = await snapshotCluster(context, { file, to })
    if (json) printJson(terminal, { ...taken })
    else terminal.print(`${taken.place}\n`)
    return 0
  },
})
