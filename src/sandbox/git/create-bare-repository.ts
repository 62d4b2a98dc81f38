import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ClusterError } from '../../lib/cluster-error.ts'

/**
 * Makes an empty bare repository that takes pushes over HTTP too and leaves out what a fetch does not want, as
 * GitHub does; returns its folder. Throws
 * `git-missing`, `disk-full`, `file-unwritable`.
 */
export async function createBareRepository(folder: string, path: string): Promise<string> {
  const run = promisify(execFile)
  const env = {
    PATH: path,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
  }
  const init = ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', folder]
  try {
    await run('git', init, { env })
    for (const setting of ['http.receivepack', 'uploadpack.allowFilter']) {
      await run('git', ['-C', folder, 'config', setting, 'true'], { env })
    }
  } catch (error) {
    throw failure(error, folder)
  }
  return folder
}

function failure(cause: unknown, target: string): ClusterError {
  const context = { operation: 'make a repository', target, cause }
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
    return new ClusterError('git-missing', 'git was not found on this machine', {
      ...context,
      hint: 'Install git 2.31 or newer and put it on the PATH.',
    })
  }
  const output = String(cause)
  const isFull = /no space left on device|disk quota exceeded/i.test(output)
  return new ClusterError(
    isFull ? 'disk-full' : 'file-unwritable',
    isFull ? 'there is no room on the disk' : `git says: ${output.split('\n').at(1) ?? output}`,
    { ...context, hint: 'make room, or choose another folder' },
  )
}
