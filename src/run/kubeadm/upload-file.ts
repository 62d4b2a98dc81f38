import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { PackageFile } from '../../spec/hosts/hosts-spec.ts'
import { runScript } from '../../ssh/run-script.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'
import { writeFile } from '../../ssh/write-file.ts'
import { scriptOutput } from './host-script.ts'

/** How long one file may take, in milliseconds: binaries have a hundred megabytes. */
const uploadMs = 10 * 60_000
const askMs = 60_000

/**
 * Brings a file that stands beside the cluster file to a host, where it is not there with its checksum already. Throws
 * `spec-invalid` where it cannot be read or has another checksum than the cluster file says.
 */
export async function uploadFile(
  remote: RemoteHost,
  clusterFile: string,
  file: PackageFile<string>,
  path: string,
): Promise<void> {
  const { code } = await runScript(remote, {
    title: `look for ${file.name}`,
    text: 'printf "%s  %s\\n" "$1" "$2" | sha256sum --check --status',
    args: [file.sha256, path],
    withinMs: askMs,
    isRepeatable: true,
  })
  if (code === 0) return
  const content = await readBeside(clusterFile, file)
  await scriptOutput(remote, {
    title: 'make the folder of files',
    text: 'mkdir -p -- "$(dirname -- "$1")"',
    args: [path],
    withinMs: askMs,
    isRepeatable: true,
  })
  await writeFile(remote, { path, content, mode: 0o644, owner: 'root:root', withinMs: uploadMs })
}

async function readBeside(clusterFile: string, { name, from, sha256 }: PackageFile<string>) {
  const wrong = (why: string, cause?: unknown) =>
    new ClusterError('spec-invalid', `the file for ${name} ${why}: ${from}`, {
      operation: 'read a file beside the cluster file',
      target: from,
      hint: 'Check the path, which is relative to the folder of the cluster file, and its sha256.',
      cause,
    })
  let content: Buffer
  try {
    content = await readFile(resolve(dirname(clusterFile), from))
  } catch (cause) {
    throw wrong('cannot be read', cause)
  }
  const found = createHash('sha256').update(content).digest('hex')
  if (found !== sha256) throw wrong(`has the checksum ${found}, and the cluster file has ${sha256}`)
  return content
}
