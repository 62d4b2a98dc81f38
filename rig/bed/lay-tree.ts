import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TreeEntry, wholeTree } from './tree-entry.ts'

/** Lays a tree into a folder that is empty. */
export async function layTree(root: string, entries: readonly TreeEntry[]): Promise<void> {
  for (const entry of wholeTree(entries)) await layEntry(join(root, entry.path), entry)
}

async function layEntry(path: string, entry: TreeEntry): Promise<void> {
  switch (entry.kind) {
    case 'folder':
      await mkdir(path)
      break
    case 'text':
      await writeFile(path, entry.text)
      break
    case 'copy':
      await copyFile(entry.from, path, constants.COPYFILE_FICLONE)
      break
    case 'link':
      await symlink(entry.to, path)
      return
  }
  await chmod(path, entry.mode)
}
