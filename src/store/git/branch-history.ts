import { pathText } from './path-text.ts'

/** One commit of a branch and what it changed against its first parent. */
export interface HistoryCommit {
  readonly commit: string
  /** More than one where somebody merged. */
  readonly parents: readonly string[]
  readonly changes: readonly TreeChange[]
}

export interface TreeChange {
  readonly path: string
  readonly mode: string
  /** Undefined where the file was removed. */
  readonly object: string | undefined
}

/** Reads `git rev-list --parents`. */
export function parseCommits(output: string): Omit<HistoryCommit, 'changes'>[] {
  return output.split('\n').flatMap((line) => {
    const [commit = '', ...parents] = line.split(' ')
    return commit === '' ? [] : [{ commit, parents }]
  })
}

/** Reads `git diff-tree --stdin -r --root --raw -z`: the changes of each commit that has any, whatever their names. */
export function parseChanges(output: Uint8Array): Map<string, TreeChange[]> {
  const changes = new Map<string, TreeChange[]>()
  let current: TreeChange[] = []
  const parts = Buffer.from(output).toString('latin1').split('\0').values()
  for (const part of parts) {
    const [, mode, object, action] = /^:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) ([A-Z])$/.exec(part) ?? []
    if (mode && object) {
      const path = pathText(Buffer.from(parts.next().value ?? '', 'latin1'))
      current.push({ path, mode, object: action === 'D' ? undefined : object })
    } else if (part !== '') {
      current = []
      changes.set(part, current)
    }
  }
  return changes
}

/** What git says of a commit: nobody vouches for it. */
export interface CommitNote {
  readonly commit: string
  readonly author: string
  readonly at: string
  readonly subject: string
}

/** How `git show` prints a note: its parts apart by zero bytes, which none of them can hold. */
export const noteFormat = '%H%x00%an <%ae>%x00%cI%x00%s'

/** Reads notes that were printed so, one a line. */
export function parseNotes(output: string): CommitNote[] {
  return output.split('\n').flatMap((line) => {
    const [commit = '', author = '', at = '', subject = ''] = line.split('\0')
    return commit === '' ? [] : [{ commit, author, at, subject }]
  })
}
