import { buildImages } from '../../../commands/cluster/build-images.ts'
import type { BuildImageOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'

/** Makes sure that the snapshots exist; prints their ids by architecture. */
export async function buildImageCommand(
  { terminal, openContext }: CommandParts,
  { config, json, arch }: BuildImageOptions,
): Promise<number> {
  const file = await readCheckedFile(config)
  await using context = await openContext()
  const ids = await buildImages(context, { file, architectures: arch })
  if (json) printJson(terminal, Object.fromEntries(ids))
  else for (const [name, id] of ids) terminal.print(`${name}: snapshot ${id}\n`)
  return 0
}
