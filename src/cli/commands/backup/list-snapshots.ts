import { type ListedSnapshot, listSnapshots } from '../../../commands/backup/list-snapshots.ts'
import { formatBytes } from '../../../lib/format-bytes.ts'
import type { SnapshotListOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'
import { renderTable } from '../../terminal/render-table.ts'

const columns = ['TAKEN AT', 'OF', 'KUBERNETES', 'SIZE', 'GENUINE', 'SNAPSHOT']

/** Prints which snapshots there are at a place, the newest first. */
export async function listSnapshotsCommand(
  { terminal, openContext }: CommandParts,
  { config, json, at }: SnapshotListOptions,
): Promise<number> {
  const file = await readCheckedFile(config)
  await using context = await openContext()
  const snapshots = await listSnapshots(context, { file, at })
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
  } else if (snapshots.length === 0) terminal.tell(`no snapshots are at ${at}`)
  else terminal.print(renderTable(columns, snapshots.map(row)))
  return 0
}

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
