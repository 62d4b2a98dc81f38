import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ClusterError } from '../../lib/cluster-error.ts'

/** Makes an empty bare repository that takes pushes over HTTP too, and returns its folder. Throws `git-missing`. */
export async function createBareRepository(folder: string, path: string): Promise<string> {
  const run = promisify(execFile)
  const env = { PATH: path, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const init = ['init', '--quiet', '--bare', '--initial-branch=main', folder]
  await run('git', init, { env }).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ? gitMissing(error)
      : error
  })
  await run('git', ['-C', folder, 'config', 'http.receivepack', 'true'], { env })
  return folder
}

function gitMissing(cause: Error): ClusterError {
  return new ClusterError('git-missing', 'git was not found on this machine', {
    hint: 'Install git 2.31 or newer and put it on the PATH.',
    operation: 'make a repository',
    cause,
  })
}
