import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from './harness.ts'

/** Files by their path; undefined takes one away. */
type Files = Readonly<Record<string, string | undefined>>

/** The default branch of the sandbox's repository, onto which people merge. */
export async function makeDefaultBranch(bench: Bench) {
  const { folder } = bench.run().state
  const clone = await mkdtemp(join(folder, 'clone-'))
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@localhost']
    const { stdout } = await promisify(execFile)('git', ['-C', clone, ...who, ...args])
    return stdout.trim()
  }
  await git('init', '--quiet', '--initial-branch=main')
  let head = ''
  async function commit(files: Files): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(clone, path)), { recursive: true })
      if (text === undefined) await rm(join(clone, path))
      else await writeFile(join(clone, path), text)
    }
    await git('add', '--all')
    await git('commit', '--quiet', '--allow-empty', '--message', 'Merge')
  }
  const push = (ref: string) =>
    git('push', '--quiet', '--force', bench.sandbox.endpoints.git.folder, `HEAD:${ref}`)
  return {
    head: () => head,
    /** The commit that would change these files, on a ref of its own. */
    async branchOff(ref: string, files: Files, onto = 'main'): Promise<string> {
      await git('checkout', '--quiet', '--detach', onto)
      await commit(files)
      await push(ref)
      const made = await git('rev-parse', 'HEAD')
      await git('checkout', '--quiet', 'main')
      return made
    },
    /** The commit that changes these files. */
    async merge(files: Files): Promise<string> {
      await commit(files)
      await push('refs/heads/main')
      head = await git('rev-parse', 'HEAD')
      return head
    },
  }
}
