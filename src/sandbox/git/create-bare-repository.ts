import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Makes an empty bare repository that takes pushes over HTTP too, and returns its folder. */
export async function createBareRepository(folder: string, path: string): Promise<string> {
  const run = promisify(execFile)
  const env = { PATH: path, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', folder], { env })
  await run('git', ['-C', folder, 'config', 'http.receivepack', 'true'], { env })
  return folder
}
