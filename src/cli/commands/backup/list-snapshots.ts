import type { ListedSnapshot } from '../../../commands/backup/list-snapshots.ts'
import { formatBytes } from '../../../lib/format-bytes.ts'
import { clusterFileSetting, jsonSetting } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { argument } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'
import { renderTable } from '../../terminal/render-table.ts'

const columns = ['TAKEN AT', 'OF', 'KUBERNETES', 'SIZE', 'GENUINE', 'SNAPSHOT']

/** Prints which snapshots there are at a place, the newest first. */
export const listSnapshots = defineCommand({
  name: 'snapshot list',
  description: 'list the snapshots in a folder, the newest first; changes nothing',
  examples: [{ purpose: 'which ones there are', line: 'list s3://my-bucket/demo/' }],
  takes: {
    at: argument('<place>', 'a folder or s3://bucket/folder/'),
    config: clusterFileSetting(),
    json: jsonSetting(),
  },
  async run({ terminal, openContext }, { config, json, at }) {
    const backups = await import('../../../commands/backup/list-snapshots.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const snapshots = await backups.listSnapshots(context, { file, at })
    if (json) {
      const listed = snapshots.map(({ place, size, metadata, doubt }) => ({
        place,
        size,
        takenAt: metadata?.takenAt ?? null,
        node: metadata?.node ?? null,
        kubernetesVersion: metadata?.kubernetesVersion ?? null,
        survivor: metadata?.quorum === false,
        doubt: doubt ?? null,
      }))
      printJson(terminal, { snapshots: listed })
    } else if (snapshots.length === 0) terminal.report(`no snapshots are at ${at}`)
    else terminal.print(renderTable(columns, snapshots.map(row)))
    return 0
  },
})

function row({ place, size, metadata, doubt }: ListedSnapshot): string[] {
  const survivor = metadata?.quorum === false ? ' (survivor)' : ''
  return [
    metadata?.takenAt ?? '?',
    metadata ? `${metadata.node}${survivor}` : '?',
    metadata?.kubernetesVersion ?? '?',
    formatBytes(size),
    doubt === undefined ? 'yes' : `? ${doubt}`,
    place,
  ]
}
