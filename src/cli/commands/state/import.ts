import { readFile } from 'node:fs/promises'
import { importState } from '../../../commands/state/import-state.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import type { ImportOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'

/** Restores a cluster's state from such a file. */
export async function importCommand(
  { terminal, openContext }: CommandParts,
  { config, json, from: path, acceptOlder: acceptsOlder, replaceOlder: replaces }: ImportOptions,
): Promise<number> {
  const file = await readCheckedFile(config)
  const bundle = await readBundle(path)
  await using context = await openContext()
  const done = await importState(context, { file, bundle, acceptsOlder, replaces })
  const { from, writtenAt, generation, remembered } = done
  if (json) {
    printJson(terminal, { ...done, remembered: remembered ?? null })
    return 0
  }
  terminal.print(
    `The state is back: generation ${from} of ${writtenAt}, written as generation ${generation}.\n`,
  )
  if (remembered !== undefined && remembered > from) {
    terminal.tell(
      `Hetzner remembers generation ${remembered}: what was written after ${from} is lost. A plan shows nodes that this state does not know as ones to delete.`,
    )
  }
  terminal.tell('Look at a plan before you apply anything.')
  return 0
}

async function readBundle(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new ClusterError('bundle-invalid', 'the recovery bundle cannot be read', {
      operation: 'open the recovery bundle',
      target: path,
      hint: 'Name the file that `hcloud-talos export` wrote: --from <file>.',
      cause: error,
    })
  }
}
