import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxEndpoints } from '../start-sandbox.ts'
import { serveGit } from './serve-git.ts'

/**
 * Serves the sandbox's repository as a job finds it on GitHub: below its owner and name, for the job's token. `folder`
 * gets a folder `hosted`. The url is what a runner names as its server (`GITHUB_SERVER_URL`).
 */
export async function serveGithubGit(
  endpoints: SandboxEndpoints,
  { folder, path }: { readonly folder: string; readonly path: string },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const hosted = join(folder, 'hosted')
  const [owner = '', name = ''] = endpoints.github.repository.split('/')
  await mkdir(join(hosted, owner), { recursive: true })
  await symlink(endpoints.git.folder, join(hosted, owner, name))
  const user = { password: endpoints.github.token, access: 'write' } as const
  return serveGit({ root: hosted, users: { 'x-access-token': user }, path })
}
