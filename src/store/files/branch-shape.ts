import { visibleLine } from '../../lib/visible-text.ts'
import type { TreeEntry } from '../git/object-reader.ts'
import { stateForeign } from '../trust/state-damage.ts'
import { fileKind, isClusterFolder, isPayload } from './layout.ts'

/** What our files are named with: nothing that any program takes for something else. */
const plainPath = /^[A-Za-z0-9._-]{1,255}(?:\/[A-Za-z0-9._-]{1,255})*$/
const longestPath = 512
const longestShown = 100
/** Parts of a path that git itself writes into no tree, and that somebody else can push. */
const unwritable = /(?:^|\/)(?:\.{1,2}|\.git)(?:\/|$)/i

/**
 * The files of a state branch by name and place, before anybody vouches for them: each is looked at once, however
 * many strangers there are among them, and nothing of what is in them.
 */
export class BranchShape {
  readonly #folders = new Map<string, Map<string, TreeEntry>>()
  /** Paths that no state branch has, and why. */
  readonly #foreign = new Map<string, string>()
  /** Folders without a file that a cluster has. */
  readonly #unknown = new Set<string>()
  readonly #known = new Map<string, number>()
  readonly #copies = new Map<string, Set<string>>()

  constructor(entries: Iterable<TreeEntry> = []) {
    for (const entry of entries) this.add(entry)
  }

  add(entry: TreeEntry): void {
    this.remove(entry.path)
    const { path, mode, object } = entry
    const [folder, file] = split(path)
    const why = foreignness(path, mode)
    if (why !== undefined) this.#foreign.set(path, why)
    const files = this.#folders.get(folder) ?? new Map<string, TreeEntry>()
    this.#folders.set(folder, files.set(file, entry))
    this.#copies.set(object, (this.#copies.get(object) ?? new Set()).add(path))
    this.#count(folder, file, 1)
  }

  remove(path: string): void {
    const [folder, file] = split(path)
    const files = this.#folders.get(folder)
    const entry = files?.get(file)
    if (!files || !entry) return
    files.delete(file)
    this.#foreign.delete(path)
    this.#copies.get(entry.object)?.delete(path)
    this.#count(folder, file, -1)
    if (files.size > 0) return
    this.#folders.delete(folder)
    this.#unknown.delete(folder)
  }

  /** The clusters that the branch holds, by name. */
  get clusters(): readonly string[] {
    return [...this.#folders.keys()].sort()
  }

  /** Every path that no state branch has, those below folders of nobody among them. */
  get foreignPaths(): readonly string[] {
    const below = [...this.#unknown].flatMap((folder) =>
      [...(this.#folders.get(folder)?.keys() ?? [])].map((file) =>
        folder === '' ? file : `${folder}/${file}`,
      ),
    )
    return [...new Set([...this.#foreign.keys(), ...below])].sort()
  }

  /** The files of a cluster by their paths in its folder. */
  filesOf(cluster: string): ReadonlyMap<string, TreeEntry> {
    return this.#folders.get(cluster) ?? new Map()
  }

  /** Where a file of this cluster stands in the folder of another, byte by byte. */
  copyElsewhere(cluster: string, path: string): string | undefined {
    const object = this.filesOf(cluster).get(path)?.object
    const copies = object === undefined ? [] : (this.#copies.get(object) ?? [])
    for (const copy of copies) if (!copy.startsWith(`${cluster}/`)) return copy
    return undefined
  }

  /** A state branch holds folders of clusters and nothing else: `state-foreign` for what is not so. */
  assertOurs(branch: string): void {
    for (const why of this.#foreign.values()) throw stateForeign(branch, why)
    for (const folder of this.#unknown) {
      throw stateForeign(branch, `its folder ${shown(folder)} is not that of a cluster`)
    }
  }

  #count(folder: string, file: string, difference: number): void {
    const isKnown = !isPayload(file) || fileKind(file) !== undefined
    const known = (this.#known.get(folder) ?? 0) + (isKnown ? difference : 0)
    this.#known.set(folder, known)
    if (known > 0) this.#unknown.delete(folder)
    else this.#unknown.add(folder)
  }
}

/** The folder at the root and what stands below it; a file at the root is below none. */
function split(path: string): [folder: string, file: string] {
  const slash = path.indexOf('/')
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)]
}

function foreignness(path: string, mode: string): string | undefined {
  const name = shown(path)
  if (!path.includes('/')) return `it has a file ${name} at its root`
  if (path.length > longestPath || !plainPath.test(path) || unwritable.test(path))
    return `${name} is not the name of a file of the state`
  if (!isClusterFolder(split(path)[0])) return `its folder ${name} is not that of a cluster`
  return mode === '100644' ? undefined : `${name} is not a plain file`
}

/** A stranger chose the name: it is one line of a bounded length, whatever is in it. */
function shown(name: string): string {
  const line = visibleLine(name.slice(0, longestShown))
  return name.length > longestShown ? `${line}…` : line
}
