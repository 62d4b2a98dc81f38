import { exportState } from '../../../commands/state/export-state.ts'
import type { ExportOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'

/** Writes a cluster's state into one encrypted file. */
export async function exportCommand(
  { terminal, openContext }: CommandParts,
  { config, json, out }: ExportOptions,
): Promise<number> {
  const file = await readCheckedFile(config)
  await using context = await openContext()
  const { clusterName, generation, bundle, isNewest } = await exportState(context, file)
  const path = out ?? `${clusterName}-recovery.tar.age`
  await writePrivateFile(path, bundle)
  if (json) printJson(terminal, { path, clusterName, generation, bytes: bundle.length, isNewest })
  else {
    terminal.tell(`wrote ${path}: generation ${generation} of ${clusterName}`)
    if (!isNewest) {
      terminal.tell(
        'Whether this generation is the newest could not be told: Hetzner, which remembers that, was not asked (HCLOUD_TOKEN) or remembers none.',
      )
    }
    terminal.tell(
      'Keep it away from the repository, and make a new one after each change of nodes.',
    )
  }
  return 0
}
