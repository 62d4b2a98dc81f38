import { lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileFailure } from '../lib/file-failure.ts'
import { type ProcessPlace, processPlace } from './process-place.ts'

/** Whose folder it is: one attempt of one job, or one process at a terminal. */
export interface FolderOwner {
  readonly id: string
  readonly attempt: number
}

/** Beside what the folder is for: says who made it. */
export const privateMark = '.hcloud-talos-run'

/** What `mkdtemp` makes of our prefixes. */
export const ownName = /^hcloud-talos-(?:access-)?[A-Za-z0-9]{6}$/

/**
 * Makes a folder that this user alone can enter, and writes down in it whose it is. Throws `disk-full` and
 * `file-unwritable`.
 */
export async function makePrivateFolder(
  parent: string,
  owner: FolderOwner,
  use: '' | 'access-' = '',
): Promise<string> {
  try {
    const folder = await mkdtemp(join(parent, `hcloud-talos-${use}`))
    await writeFile(join(folder, privateMark), await newMark(owner), { mode: 0o600 })
    return folder
  } catch (error) {
    throw fileFailure(error, parent, {
      operation: 'make a temporary folder in',
      hint: 'Point TMPDIR at another folder.',
    })
  }
}

/**
 * Removes a private folder by its path as it was written down, and only if this owner made it: it stands in
 * `parent` under a name of ours, it is a folder of this user's and no link, and its own mark names the owner. What
 * a saved path says proves nothing by itself: whoever gets a line into a log could have said it. Returns whether
 * the path is gone, or was never ours.
 */
export async function removePrivateFolder(
  path: string,
  { parent, owner }: { readonly parent: string; readonly owner: FolderOwner },
): Promise<'gone' | 'not-ours'> {
  const folder = resolve(path)
  const name = folder.slice(dirname(folder).length + 1)
  if (dirname(folder) !== resolve(parent) || !ownName.test(name)) return 'not-ours'
  const found = await lstat(folder).catch(() => undefined)
  if (!found) return 'gone'
  const isOfThisUser = process.getuid === undefined || found.uid === process.getuid()
  if (!found.isDirectory() || !isOfThisUser) return 'not-ours'
  const marked = await readFile(join(folder, privateMark), 'utf8').catch(() => '')
  if (marked.split('\n')[0] !== ownerLine(owner)) return 'not-ours'
  await rm(folder, { recursive: true, force: true })
  return 'gone'
}

/** What a mark says: whose the folder is, and the process that works in it. */
export interface FolderMark {
  readonly owner: FolderOwner
  readonly process: { readonly place: ProcessPlace; readonly pid: number }
}

/** Reads a mark; undefined for what is none, or was made where processes cannot be told apart. */
export function parseMark(text: string): FolderMark | undefined {
  const [, id, attempt, machine, boot, space, pid] =
    /^(\S+) (\d+)\n([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{8}) (\d{1,10})\n$/.exec(text) ?? []
  if (!id || !machine || !boot || !space) return undefined
  return {
    owner: { id, attempt: Number(attempt) },
    process: { place: { machine, boot, space }, pid: Number(pid) },
  }
}

async function newMark(owner: FolderOwner): Promise<string> {
  const place = await processPlace()
  const lines = [
    ownerLine(owner),
    ...(place ? [`${place.machine} ${place.boot} ${place.space} ${process.pid}`] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function ownerLine({ id, attempt }: FolderOwner): string {
  return `${id} ${attempt}`
}
