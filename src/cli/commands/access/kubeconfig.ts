import { mintAccess, mintTalosconfig } from '../../../commands/access/mint-access.ts'
import type { AccessOptions, TalosconfigOptions } from '../../handler-options.ts'
import type { CommandParts } from '../../handlers.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { printJson } from '../../show-plan.ts'
import { writePrivateFile } from '../../terminal/write-private-file.ts'

/** Mints a kubeconfig into a file; it is never printed. */
export async function kubeconfigCommand(
  parts: CommandParts,
  options: AccessOptions,
): Promise<number> {
  const { config, out, hours } = options
  const file = await readCheckedFile(config)
  await using context = await parts.openContext()
  const { kubeconfig } = await mintAccess(context, { file, hours })
  await writePrivateFile(out, kubeconfig)
  tell(parts, options)
  return 0
}

/** Mints a talosconfig likewise. */
export async function talosconfigCommand(
  parts: CommandParts,
  options: TalosconfigOptions,
): Promise<number> {
  const { config, out, hours, role } = options
  const file = await readCheckedFile(config)
  await using context = await parts.openContext()
  const talosconfig = await mintTalosconfig(context, { file, hours, role })
  await writePrivateFile(out, talosconfig)
  tell(parts, options, { role })
  return 0
}

function tell(
  { terminal }: CommandParts,
  { json, out: path, hours }: AccessOptions,
  more: { readonly role?: string } = {},
): void {
  if (json) printJson(terminal, { path, hours, ...more })
  else terminal.tell(`wrote ${path}, good for ${hours === 1 ? 'an hour' : `${hours} hours`}`)
}
