import { readFile } from 'node:fs/promises'
import { ClusterError } from '../lib/cluster-error.ts'
import type { ErrorCode } from '../lib/error-codes.ts'
import type { ClusterFile } from './cluster-file.ts'

/** What the system says of a path that cannot be read, as a failure of ours. */
const failures: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['spec-not-found', 'there is no such file'],
  EISDIR: ['spec-not-a-file', 'it is a folder'],
  ENOTDIR: ['spec-not-found', 'there is no such file'],
  EACCES: ['spec-not-a-file', 'it may not be read'],
}

/** Reads a cluster file from the disk. Throws `spec-not-found` or `spec-not-a-file`. */
export async function readClusterFileFrom(path: string): Promise<ClusterFile> {
  try {
    return { path, text: await readFile(path, 'utf8') }
  } catch (error) {
    const systemCode = error instanceof Error && 'code' in error ? String(error.code) : ''
    const [code, reason] = failures[systemCode] ?? ['spec-not-a-file', 'it cannot be read']
    throw new ClusterError(code, `the cluster file cannot be read: ${reason}`, {
      target: path,
      hint: 'Name it with --config (or the input config); `hcloud-talos init` writes one.',
      cause: error,
    })
  }
}
