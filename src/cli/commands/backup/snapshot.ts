import { snapshotCluster } from '../../../commands/backup/snapshot-cluster.ts'
import type { SnapshotOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'

/** Takes a snapshot of etcd and says where it is. */
export async function snapshotCommand(
  { terminal, openContext }: CommandParts,
  { config, json, to }: SnapshotOptions,
): Promise<number> {
  const file = await readCheckedFile(config)
  await using context = await openContext()
  const taken = await snapshotCluster(context, { file, to })
  if (json) printJson(terminal, { ...taken })
  else terminal.print(`${taken.place}\n`)
  return 0
}
