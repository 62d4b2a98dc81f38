import { type ListedSnapshot, listSnapshots } from '../commands/backup/list-snapshots.ts'
import { formatBytes } from '../lib/format-bytes.ts'
import type { SnapshotListOptions } from './handler-options.ts'
import type { CommandParts } from './handlers.ts'
import { readCheckedFile } from './read-checked-file.ts'
import { renderTable } from './render-table.ts'
import { printJson } from './show-plan.ts'

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
    const listed = snapshots.map(({ place, size, card, doubt }) => ({
      place,
      size,
      takenAt: card?.takenAt ?? null,
      node: card?.node ?? null,
      kubernetesVersion: card?.kubernetesVersion ?? null,
      survivor: card?.quorum === false,
      doubt: doubt ?? null,
    }))
    printJson(terminal, { snapshots: listed })
  } else if (snapshots.length === 0) terminal.tell(`no snapshots are at ${at}`)
  else terminal.print(renderTable(columns, snapshots.map(row)))
  return 0
}

function row({ place, size, card, doubt }: ListedSnapshot): string[] {
  const survivor = card?.quorum === false ? ' (survivor)' : ''
  return [
    card?.takenAt ?? '?',
    card ? `${card.node}${survivor}` : '?',
    card?.kubernetesVersion ?? '?',
    formatBytes(size),
    doubt === undefined ? 'yes' : `? ${doubt}`,
    place,
  ]
}
