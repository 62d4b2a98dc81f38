import { manifestPath, signaturePath, stateRef } from '../files/layout.ts'
import { digest } from '../files/manifest.ts'
import type { HistoryCommit } from '../git/branch-history.ts'
import type { PrivateRepository } from '../git/private-repository.ts'

/** How many commits before the newest are looked at. */
const depth = 16

/**
 * Whether one of the last commits of a state branch looks like nobody's run: a merge, a change of a cluster's files
 * without its manifest, or a manifest that does not name the one before it. Reads no other contents, believes none of
 * them and verifies nothing: an audit says what it is.
 */
export async function hasRecentDamage(
  repository: PrivateRepository,
  { branch, cluster }: { readonly branch: string; readonly cluster: string },
): Promise<boolean> {
  const head = await repository.fetchTree(stateRef(branch), depth)
  if (head === undefined) return false
  const history = await repository.history(head)
  if (history.some((commit) => isNobodys(commit, `${cluster}/`))) return true
  const path = `${cluster}/${manifestPath}`
  const objects = history.flatMap(({ changes }) =>
    changes.filter((change) => change.path === path).map(({ object }) => object),
  )
  const contents = await repository.readObjects(objects.filter((object) => object !== undefined))
  const manifests = objects.map((object) => (object === undefined ? undefined : contents.shift()))
  return hasGap(manifests, history.length < depth)
}

function isNobodys({ parents, changes }: HistoryCommit, folder: string): boolean {
  if (parents.length > 1) return true
  const own = changes.filter(({ path }) => path.startsWith(folder)).map(({ path }) => path)
  if (own.length === 0) return false
  return ![manifestPath, signaturePath].every((path) => own.includes(`${folder}${path}`))
}

/** Manifests in their order, undefined where the cluster was taken off the branch; all of them, or the newest. */
function hasGap(manifests: readonly (Uint8Array | undefined)[], isComplete: boolean): boolean {
  return manifests.some((manifest, index) => {
    if (!manifest) return false
    if (index === 0 && !isComplete) return false
    const former = manifests[index - 1]
    return !namesPrevious(manifest, former ? `"${digest(former)}"` : 'null')
  })
}

const namesPrevious = (manifest: Uint8Array, previous: string) =>
  Buffer.from(manifest).includes(`"previous":${previous},`)
