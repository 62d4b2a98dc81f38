import { lstat, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FolderOwner, ownName, parseMark, privateMark } from './private-folder.ts'
import { isProcessOver, type ProcessPlace, processPlace } from './process-place.ts'

export interface SweepOptions {
  /** This run, which keeps what it has. */
  readonly owner: FolderOwner
  /** Whether the folder above is one job's alone, so that everything in it that is another's was left by a former one. */
  readonly isOfOneJob: boolean
}

/** Far more than a machine ever has; the rest waits for the next run. */
const mostFolders = 200
const longestMark = 500

/**
 * Removes the private folders that killed runs left in `parent`, with the secrets that may be in them: only those that
 * bear a name and a mark of ours, belong to this user, let nobody else in, and whose process is proven to have ended.
 * Credentials that a job's later steps use outlive their process, so they go only where a former job left them.
 * Returns what was removed. Never throws: what cannot be removed is no reason not to run.
 */
export async function sweepPrivateFolders(
  parent: string,
  { owner, isOfOneJob }: SweepOptions,
): Promise<string[]> {
  const here = await processPlace()
  const names = await readdir(parent).catch(() => [])
  const mine = names.filter((name) => ownName.test(name)).slice(0, mostFolders)
  const removed: string[] = []
  for (const name of mine) {
    const isForLaterSteps = name.startsWith('hcloud-talos-access-')
    if (isForLaterSteps && !isOfOneJob) continue
    const folder = join(parent, name)
    if (!(await isLeft(folder, owner, here))) continue
    const isGone = await rm(folder, { recursive: true, force: true }).then(
      () => true,
      () => false,
    )
    if (isGone) removed.push(folder)
  }
  return removed
}

async function isLeft(
  folder: string,
  owner: FolderOwner,
  here: ProcessPlace | undefined,
): Promise<boolean> {
  const markPath = join(folder, privateMark)
  const [found, marked] = await Promise.all(
    [folder, markPath].map((path) => lstat(path).catch(() => undefined)),
  )
  if (!found?.isDirectory() || !marked?.isFile() || marked.size > longestMark) return false
  const uid = process.getuid?.()
  if (uid === undefined || found.uid !== uid || marked.uid !== uid) return false
  if ((found.mode & 0o077) !== 0) return false
  const mark = parseMark(await readFile(markPath, 'utf8').catch(() => ''))
  if (!mark || (mark.owner.id === owner.id && mark.owner.attempt === owner.attempt)) return false
  return isProcessOver(mark.process, here)
}
