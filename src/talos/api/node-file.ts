import { bytesOf } from '../../lib/bytes-of.ts'
import { talosApi } from './talos-api.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

/** The text of a file on the node. */
export async function readNodeFile(
  client: TalosCaller,
  path: string,
  options?: CallOptions,
): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const bytes of bytesOf(talosApi(client).machine.read(path, options))) {
    pieces.push(bytes)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** The id of this boot: the kernel makes a new one at each start. */
export async function readBootId(client: TalosCaller, options?: CallOptions): Promise<string> {
  return (await readNodeFile(client, '/proc/sys/kernel/random/boot_id', options)).trim()
}
