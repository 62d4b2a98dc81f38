import { execFileSync } from 'node:child_process'
import type { CommandBench } from '../cli/command-bench.ts'

const branch = 'refs/heads/hcloud-talos'

/** What people do to a state branch by hand. */
export function deleteBranch(bench: CommandBench): void {
  branchGit(bench)('update-ref', '-d', branch)
}

/** Commits a file upon the branch, as GitHub's page does. */
export function commitOnBranch(bench: CommandBench, path: string, text: string): void {
  const git = branchGit(bench)
  const index = { GIT_INDEX_FILE: 'by-hand.index' }
  const blob = git.with({}, text)('hash-object', '-w', '--stdin')
  git.with(index)('read-tree', branch)
  git.with(index)('update-index', '--add', '--cacheinfo', `100644,${blob},${path}`)
  const tree = git.with(index)('write-tree')
  const anna = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.com']
  git('update-ref', branch, git(...anna, 'commit-tree', '-p', branch, '-m', `Add ${path}`, tree))
}

/** Git in the repository of the state. */
export function branchGit({ sandbox, environment }: CommandBench) {
  const { folder } = sandbox.endpoints.git
  const run =
    (env: Readonly<Record<string, string>>, input = '') =>
    (...args: string[]) =>
      execFileSync('git', ['-C', folder, ...args], {
        input,
        encoding: 'utf8',
        env: { ...environment, ...env },
      }).trim()
  return Object.assign(run({}), { with: run })
}
