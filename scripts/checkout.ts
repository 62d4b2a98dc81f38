import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A work tree of the default branch. */
export interface Checkout {
  /** Writes a file and pushes it to the default branch. Returns the commit that holds it. */
  merge(path: string, text: string): Promise<string>
}

/** Makes a work tree in `workspace`, a folder that is there, whose commits go to `main` of the remote. */
export async function checkOut(remote: string, workspace: string): Promise<Checkout> {
  const git = async (...args: string[]) => {
    const identity = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@localhost']
    const { stdout } = await promisify(execFile)('git', ['-C', workspace, ...identity, ...args])
    return stdout.trim()
  }
  await git('init', '--quiet', '--initial-branch=main')
  await git('remote', 'add', 'origin', remote)
  return {
    async merge(path, text) {
      await writeFile(join(workspace, path), text)
      await git('add', path)
      await git('commit', '--quiet', '--allow-empty', '--message', `Change ${path}`)
      await git('push', '--quiet', 'origin', 'HEAD:refs/heads/main')
      return git('rev-parse', 'HEAD')
    },
  }
}
