import { pathText } from './path-text.ts'

export interface TreeEntry {
  readonly path: string
  readonly mode: string
  readonly object: string
}

/** Reads the output of `git ls-tree -r -z`. */
export function parseTree(output: Uint8Array): TreeEntry[] {
  return Buffer.from(output)
    .toString('latin1')
    .split('\0')
    .flatMap((line) => {
      const [, mode, object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
      if (!mode || !object || path === undefined) return []
      return [{ mode, object, path: pathText(Buffer.from(path, 'latin1')) }]
    })
}

/** Reads the output of `git cat-file --batch`: contents in the order in which they were asked for. */
export function parseBatch(output: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(output)
  const contents: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at)
    const [, , size] = bytes.toString('utf8', at, end).split(' ')
    if (end < 0 || size === undefined || !/^\d+$/.test(size)) {
      throw new Error('git cat-file answered what cannot be read')
    }
    const start = end + 1
    contents.push(bytes.subarray(start, start + Number(size)))
    at = start + Number(size) + 1
  }
  return contents
}
