import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ClusterError } from '../lib/cluster-error.ts'
import type { ErrorCode } from '../lib/error-codes.ts'

export interface WriteFileOptions {
  /** File mode; 0600 unless told, since what is written is mostly a secret. */
  readonly mode?: number
}

const failures: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
}

/**
 * Writes a file whole or not at all: beside its place first, then over it. What was there stays when it
 * fails. Throws `disk-full` or `file-unwritable`.
 */
export async function writePrivateFile(
  path: string,
  text: string,
  { mode = 0o600 }: WriteFileOptions = {},
): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(beside, text, { mode })
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    const systemCode = error instanceof Error && 'code' in error ? String(error.code) : ''
    const code = failures[systemCode] ?? 'file-unwritable'
    throw new ClusterError(code, `cannot write: ${systemCode || String(error)}`, {
      target: path,
      hint:
        code === 'disk-full' ? 'make room and run again' : 'check the folder and its permissions',
      cause: error,
    })
  }
}
