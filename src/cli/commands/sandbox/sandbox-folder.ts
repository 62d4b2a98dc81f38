import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileFailure } from '../../../lib/file-failure.ts'

/**
 * Where a sandbox keeps its repository: the user's folder, which stays, or one of our own, which goes. Throws
 * `disk-full` and `file-unwritable`.
 */
export async function openSandboxFolder(
  folder: string | undefined,
): Promise<{ path: string } & AsyncDisposable> {
  try {
    if (folder === undefined) {
      const path = await mkdtemp(join(tmpdir(), 'hcloud-talos-sandbox-'))
      const remove = () => rm(path, { recursive: true, force: true })
      return { path, [Symbol.asyncDispose]: remove }
    }
    const path = resolve(folder)
    await mkdir(path, { recursive: true })
    return { path, [Symbol.asyncDispose]: async () => undefined }
  } catch (error) {
    throw fileFailure(error, folder ?? tmpdir())
  }
}
