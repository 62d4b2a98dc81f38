import type { RemoteHost } from '../../ssh/ssh-pool.ts'
import { writeFile } from '../../ssh/write-file.ts'
import { scriptOutput } from './host-script.ts'

const fileMs = 60_000

/** A file of root on a host, in a folder that is made where it is missing. */
export async function writeHostFile(
  remote: RemoteHost,
  path: string,
  content: string,
  mode: number,
): Promise<void> {
  await scriptOutput(remote, {
    title: `make the folder of ${path}`,
    text: 'mkdir -p -- "$(dirname -- "$1")"',
    args: [path],
    withinMs: fileMs,
    isRepeatable: true,
  })
  await writeFile(remote, { path, content, mode, owner: 'root:root', withinMs: fileMs })
}
