import { relative } from 'node:path'
import type { Json } from '../../src/lib/json.ts'

/**
 * One thing in the tree of a root file system or of an image's layer; `path` has no leading slash.
 * Folders above it come by themselves. Everything belongs to root and is dated at the epoch.
 */
export type TreeEntry =
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number }
  | { readonly kind: 'text'; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  /** A file of another artefact, by its absolute path. */
  | { readonly kind: 'copy'; readonly path: string; readonly from: string; readonly mode: number }

export function folder(path: string, mode = 0o755): TreeEntry {
  return { kind: 'folder', path, mode }
}

export function text(path: string, content: string, mode = 0o644): TreeEntry {
  return { kind: 'text', path, text: content, mode }
}

export function link(path: string, to: string): TreeEntry {
  return { kind: 'link', path, to }
}

export function program(path: string, from: string): TreeEntry {
  return { kind: 'copy', path, from, mode: 0o755 }
}

export function data(path: string, from: string): TreeEntry {
  return { kind: 'copy', path, from, mode: 0o644 }
}

/**
 * What a tree follows from. The name of another artefact's folder stands for its content, so a file
 * in it is named relative to the cache, and the same tree has the same inputs wherever the cache is.
 */
export function treeInputs(entries: readonly TreeEntry[], cache: string): Json {
  return entries.map((entry) =>
    entry.kind === 'copy' ? { ...entry, from: relative(cache, entry.from) } : { ...entry },
  )
}

/** The entries in the order of their paths, with each folder above them before them. */
export function wholeTree(entries: readonly TreeEntry[]): readonly TreeEntry[] {
  const whole = new Map<string, TreeEntry>()
  for (const { path } of entries) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const above = parts.slice(0, depth).join('/')
      whole.set(above, folder(above))
    }
  }
  for (const entry of entries) whole.set(entry.path, entry)
  return [...whole.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}
