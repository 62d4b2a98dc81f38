import { ClusterError } from '../lib/cluster-error.ts'
import type { PrivateRepository, RefUpdate } from './git/private-repository.ts'

/**
 * Looks for a branch that keeps a ref from being created: git has no ref below the name of another, nor one whose
 * name is a folder of others. Remotes report that like a race, so it is looked for when a creation was rejected.
 * Throws `state-ref-blocked` with the branch.
 */
export async function refuseBlockedRefs(
  updates: readonly RefUpdate[],
  repository: PrivateRepository,
): Promise<void> {
  const created = updates
    .filter(({ expected, next }) => expected === undefined && next !== undefined)
    .map(({ ref }) => ref)
  if (created.length === 0) return
  const above = created.flatMap(foldersOf)
  const below = created.map((ref) => `${ref}/`)
  const found = await repository.refsLike([...above, ...below.map((start) => `${start}*`)])
  for (const ref of created) {
    const blocker = found.find((one) => foldersOf(ref).includes(one) || one.startsWith(`${ref}/`))
    if (blocker !== undefined) throw blocked(ref, blocker, repository.target)
  }
}

/** `refs/heads/a` for `refs/heads/a/b`: what would have to be a folder. */
function foldersOf(ref: string): string[] {
  const parts = ref.split('/')
  return parts.slice(3).map((_, index) => parts.slice(0, index + 3).join('/'))
}

function blocked(ref: string, blocker: string, target: string): ClusterError {
  const [name, other] = [ref, blocker].map((one) => one.replace('refs/heads/', ''))
  return new ClusterError(
    'state-ref-blocked',
    `the branch ${name} cannot be created, as the branch ${other} takes its place`,
    {
      operation: 'write the state branch',
      target,
      hint: `Rename or delete the branch ${other}, or choose another state.branch.`,
    },
  )
}
