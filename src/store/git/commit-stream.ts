/** A commit to make: what changes against its parent. */
export interface CommitRequest {
  readonly parent: string | undefined
  readonly message: string
  /** Nothing of the parent stays, whatever it is named: the files are all that the commit holds. */
  readonly isComplete?: boolean
  /** Files to write by path; undefined removes the file. */
  readonly files: ReadonlyMap<string, Uint8Array | undefined>
}

const author = 'hcloud-talos <hcloud-talos@localhost>'

/**
 * The input of `git fast-import` that makes these commits and prints the id of each. One process makes
 * blobs, trees and commits straight in the object store: no index, no work tree, nothing on disk in plain.
 */
export function commitStream(commits: readonly CommitRequest[], now: number): Uint8Array {
  const parts: (string | Uint8Array)[] = []
  commits.forEach((commit, index) => {
    const message = Buffer.from(commit.message)
    parts.push(`reset refs/made/${index}\n`)
    parts.push(`commit refs/made/${index}\nmark :${index + 1}\n`)
    parts.push(`committer ${author} ${Math.floor(now / 1000)} +0000\n`)
    parts.push(`data ${message.length}\n`, message, '\n')
    if (commit.parent !== undefined) parts.push(`from ${commit.parent}\n`)
    if (commit.isComplete) parts.push('deleteall\n')
    for (const [path, content] of commit.files) {
      if (content === undefined) parts.push(`D ${quoted(path)}\n`)
      else parts.push(`M 100644 inline ${quoted(path)}\ndata ${content.length}\n`, content, '\n')
    }
    parts.push('\n')
  })
  commits.forEach((_, index) => {
    parts.push(`get-mark :${index + 1}\n`)
  })
  parts.push('done\n')
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}

/** A path as fast-import takes it for nothing but a path: a line feed in it would begin another command. */
function quoted(path: string): string {
  const bytes = [...Buffer.from(path)].map((byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
    return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  })
  return `"${bytes.join('')}"`
}
