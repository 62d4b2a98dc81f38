import type { getOctokit } from '@actions/github'
import { TooLarge } from '../lib/bounded-bytes.ts'
import { type Clock, createClock } from '../lib/clock.ts'
import type { RecordExchange } from '../lib/http-exchange.ts'
import { systemRandom } from '../lib/random.ts'
import { retry } from '../lib/retry.ts'
import { isLimitText } from './bounded-fetch.ts'
import { bodyFractions, commentMarker, composeBody } from './comment-body.ts'
import { connectGithub } from './connect-github.ts'
import { githubTries } from './github-tries.ts'
import { ownLogin } from './own-login.ts'
import { readQueueEntry } from './queue-entry.ts'

export interface PlanComment {
  readonly owner: string
  readonly repository: string
  readonly pullRequest: number
  /** What the comment is about; one comment per name. */
  readonly clusterName: string
  /** Markdown; must be redacted, since masking does not reach comments. */
  readonly body: string
  /** What a merge approves, as `packRecord` packs it; undefined where it approves nothing. */
  readonly record?: string | undefined
}

/** How it went. Reporting never decides over a plan: the caller tells, and goes on. */
export type CommentResult =
  | { readonly posted: 'created' | 'updated'; readonly url: string }
  | { readonly posted: false; readonly reason: string }

export interface CommentOptions {
  readonly token: string
  /** `https://api.github.com`, or another server's. */
  readonly apiUrl: string
  readonly clock?: Clock | undefined
  readonly record?: RecordExchange | undefined
}

/**
 * Writes the plan of one cluster on a pull request: its one comment is found by a hidden marker among
 * all pages of comments and replaced, or made. Never throws for what GitHub answers.
 */
export async function postPlanComment(
  comment: PlanComment,
  access: CommentOptions,
): Promise<CommentResult> {
  const { clock = createClock() } = access
  const octokit = await connectGithub({ ...access, clock })
  let reason = ''
  const { clusterName, body: text, record } = comment
  for (const fraction of bodyFractions) {
    const body = composeBody({ clusterName, text, record }, fraction)
    try {
      return await upsert(octokit, comment, { body, clock })
    } catch (error) {
      reason = explain(error)
      if (statusOf(error) !== 422) break
    }
  }
  return { posted: false, reason }
}

type Octokit = ReturnType<typeof getOctokit>

async function upsert(
  octokit: Octokit,
  comment: PlanComment,
  { body, clock }: { readonly body: string; readonly clock: Clock },
): Promise<CommentResult> {
  const place = { owner: comment.owner, repo: comment.repository }
  if (await isMerged(octokit, comment)) {
    return { posted: false, reason: 'it is merged, and its plan stays as it was approved' }
  }
  const number = comment.pullRequest
  const ask = () => readQueueEntry(octokit, { ...comment, number })
  // Where GitHub does not report it, the queue's own check accepts no plan.
  const entry = await retry(ask, githubTries, { clock, random: systemRandom })
  if (typeof entry === 'object') {
    return {
      posted: false,
      reason:
        'it is in the merge queue, and its plan stays as it was approved: take it out of the queue and run the job again for a new one',
    }
  }
  const existing = await findOwn(octokit, comment)
  if (existing === undefined) {
    const issue = { ...place, issue_number: number }
    const { data } = await octokit.rest.issues.createComment({ ...issue, body })
    return { posted: 'created', url: data.html_url }
  }
  const { data } = await octokit.rest.issues.updateComment({ ...place, comment_id: existing, body })
  return { posted: 'updated', url: data.html_url }
}

/** A run that comes late, or is run again: what it would show is not what the merge approved. */
async function isMerged(octokit: Octokit, { owner, repository: repo, pullRequest }: PlanComment) {
  try {
    const { data } = await octokit.rest.pulls.get({ owner, repo, pull_number: pullRequest })
    return data.merged_at !== null
  } catch {
    return false
  }
}

/** Somebody who quotes our marker must not get their comment overwritten: only those of our own login count. */
async function findOwn(octokit: Octokit, comment: PlanComment): Promise<number | undefined> {
  const login = await ownLogin(octokit)
  const marker = commentMarker(comment.clusterName)
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    owner: comment.owner,
    repo: comment.repository,
    issue_number: comment.pullRequest,
    per_page: 100,
  })
  for await (const { data } of pages) {
    const own = data.find(({ body, user }) => user?.login === login && body?.startsWith(marker))
    if (own) return own.id
  }
  return undefined
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' ? status : undefined
}

function explain(error: unknown): string {
  const status = statusOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (status === 429 || isLimitText(message)) {
    return `GitHub limits how often it is asked${status === undefined ? '' : ` (${status})`}, for longer than is waited for here: run the job again later`
  }
  if (status === 403 || status === 404) {
    return `GitHub refuses the comment (${status}): the job needs "permissions: pull-requests: write", which pull requests from forks never have`
  }
  if (error instanceof Error && error.cause instanceof TooLarge) {
    return `GitHub's answer is not used: ${message}`
  }
  if (status !== undefined) return `GitHub refuses the comment (${status})`
  return `GitHub cannot be reached: ${message}`
}
