import type { getOctokit } from '@actions/github'
import { isRefusal } from './graphql-refusal.ts'

type Octokit = ReturnType<typeof getOctokit>

/** Since when a pull request waits in a merge queue; `unknown` where GitHub does not show it to this token. */
export type QueueEntry = { readonly enqueuedAt: number } | 'none' | 'unknown'

interface Found {
  readonly repository: {
    readonly pullRequest: {
      readonly mergeQueueEntry: { readonly enqueuedAt: string } | null
    } | null
  } | null
}

const entryOf = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    mergeQueueEntry { enqueuedAt }
  } }
}`

/** Throws where no answer came at all. REST does not report entries of merge queues. */
export async function readQueueEntry(
  octokit: Octokit,
  place: { readonly owner: string; readonly repository: string; readonly number: number },
): Promise<QueueEntry> {
  const { owner, repository: name, number } = place
  try {
    const { repository } = await octokit.graphql<Found>(entryOf, { owner, name, number })
    if (!repository?.pullRequest) return 'unknown'
    const { mergeQueueEntry } = repository.pullRequest
    if (mergeQueueEntry === null) return 'none'
    const enqueuedAt = Date.parse(mergeQueueEntry.enqueuedAt)
    return Number.isNaN(enqueuedAt) ? 'unknown' : { enqueuedAt }
  } catch (error) {
    // A token without the right, or a server that knows no merge queues.
    if (isRefusal(error)) return 'unknown'
    throw error
  }
}
