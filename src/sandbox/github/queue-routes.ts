import type { Json } from '../../lib/json.ts'
import { type Answer, refuse } from './answer.ts'
import type { GitObjects } from './git-objects.ts'

/** Refs by the beginning of their names, and what one commit has that a branch has not. Undefined for another route. */
export async function answerRefs(
  git: GitObjects,
  rest: string,
  paginate: (all: readonly Json[]) => Answer,
): Promise<Answer | undefined> {
  const path = decodeURIComponent(rest)
  const prefix = /^\/git\/matching-refs\/(heads\/[\w./-]+)$/.exec(path)?.[1]
  if (prefix !== undefined) {
    const refs = await git.refsLike(`refs/${prefix}`)
    return paginate(refs.map(({ ref, sha }) => ({ ref, object: { sha, type: 'commit' } })))
  }
  const [, base, head] = /^\/compare\/([\w./-]+?)\.\.\.([0-9a-f]{40})$/.exec(path) ?? []
  if (base === undefined || head === undefined) return undefined
  const commits = await git.commitsBetween(base, head)
  if (!commits) return refuse(404, 'Not Found')
  const ahead = { status: 'ahead', ahead_by: commits.length, total_commits: commits.length }
  return { status: 200, body: { ...ahead, commits: commits.map((sha) => ({ sha })) } }
}
