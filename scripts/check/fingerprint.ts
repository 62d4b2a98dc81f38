import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Digests by path. */
export type Fingerprint = ReadonlyMap<string, string>

/**
 * Each file's digest at or below the given paths; a path that does not exist has none.
 *
 * @param paths from `root`
 */
export function fingerprint(root: string, paths: readonly string[]): Fingerprint {
  const files = paths.flatMap((path) => {
    const full = join(root, path)
    const stat = statSync(full, { throwIfNoEntry: false })
    if (!stat) return []
    if (stat.isFile()) return [path]
    return readdirSync(full, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  })
  return new Map(files.map((file) => [file, digest(join(root, file))]))
}

/** What was added, removed or changed. */
export function changedFiles(before: Fingerprint, after: Fingerprint): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file),
  )
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
