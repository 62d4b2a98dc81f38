import type { getOctokit } from '@actions/github'
import { isRefusal } from './graphql-refusal.ts'

type Octokit = ReturnType<typeof getOctokit>

/** The last time that a person decided that a pull request is merged. */
export interface MergeDecision {
  readonly by: 'merged' | 'queued' | 'set to merge automatically'
  readonly at: number
}

interface Found {
  readonly repository: {
    readonly pullRequest: {
      readonly timelineItems: { readonly nodes: readonly Event[] }
      readonly reviews: { readonly nodes: readonly Review[] }
    } | null
  } | null
}

interface Event {
  readonly __typename: string
  readonly createdAt: string
  /** Of a removal from a queue alone: GitHub documents no list of its values. */
  readonly reason?: string | null
}

interface Review {
  readonly submittedAt: string | null
  readonly authorCanPushToRepository: boolean
  readonly author: { readonly __typename: string } | null
}

// Reviews stand apart: whoever may comment can write so many of them that nothing else is among the last hundred.
const decisionQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    timelineItems(last: 100, itemTypes: [
      AUTO_MERGE_ENABLED_EVENT, AUTO_SQUASH_ENABLED_EVENT, AUTO_REBASE_ENABLED_EVENT,
      AUTO_MERGE_DISABLED_EVENT, ADDED_TO_MERGE_QUEUE_EVENT, REMOVED_FROM_MERGE_QUEUE_EVENT
    ]) { nodes { __typename
      ... on AutoMergeEnabledEvent { createdAt }
      ... on AutoSquashEnabledEvent { createdAt }
      ... on AutoRebaseEnabledEvent { createdAt }
      ... on AutoMergeDisabledEvent { createdAt }
      ... on AddedToMergeQueueEvent { createdAt }
      ... on RemovedFromMergeQueueEvent { createdAt reason }
    } }
    reviews(last: 100, states: [APPROVED]) {
      nodes { submittedAt authorCanPushToRepository author { __typename } }
    }
  } }
}`

const enabled = ['AutoMergeEnabledEvent', 'AutoSquashEnabledEvent', 'AutoRebaseEnabledEvent']
const ofAutoMerge = [...enabled, 'AutoMergeDisabledEvent']

/** A merge takes a pull request out of its queue, too, perhaps a moment before it counts as merged. */
const mergeReason = /^(?:already[ _])?merged?$/i

/**
 * By what a person decided the merge that took place, or into whose queue it was put, at `end`. Auto-merge and queues
 * merge when everything that is required is there, so nobody has to look again after they were told to; an approving
 * review is a later look. Undefined where GitHub does not report it. Throws where no answer came at all.
 */
export async function readMergeDecision(
  octokit: Octokit,
  place: { readonly owner: string; readonly repository: string; readonly number: number },
  { by, at: end }: MergeDecision,
): Promise<MergeDecision | undefined> {
  const { owner, repository: name, number } = place
  try {
    const { repository } = await octokit.graphql<Found>(decisionQuery, { owner, name, number })
    if (!repository?.pullRequest) return undefined
    const { timelineItems, reviews } = repository.pullRequest
    return lastDecision(timelineItems.nodes, reviews.nodes, { by, at: end })
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** Pure. */
function lastDecision(
  events: readonly Event[],
  reviews: readonly Review[],
  merged: MergeDecision,
): MergeDecision {
  const before = (end: number) => events.filter(({ createdAt }) => Date.parse(createdAt) <= end)
  const queued = before(merged.at).findLast(
    (event) => event.__typename === 'AddedToMergeQueueEvent' || isTakenBack(event, merged.at),
  )
  const isQueued = queued?.__typename === 'AddedToMergeQueueEvent'
  const decision: MergeDecision = isQueued
    ? { by: 'queued', at: Date.parse(queued.createdAt) }
    : merged
  const change = before(decision.at).findLast(({ __typename: name }) => ofAutoMerge.includes(name))
  if (!change || !enabled.includes(change.__typename)) return decision
  const reviewedAt = reviews
    .filter(({ author, authorCanPushToRepository: isOurs }) => {
      return author?.__typename === 'User' && isOurs
    })
    .map(({ submittedAt }) => Date.parse(submittedAt ?? ''))
    .filter((at) => at <= decision.at)
  return {
    by: 'set to merge automatically',
    at: Math.max(Date.parse(change.createdAt), ...reviewedAt),
  }
}

/** Whether it left the queue without being merged by it. Where that is not plain, it was not taken back. */
function isTakenBack({ __typename: name, createdAt, reason }: Event, merged: number): boolean {
  if (name !== 'RemovedFromMergeQueueEvent' || !(Date.parse(createdAt) < merged)) return false
  return typeof reason === 'string' && reason !== '' && !mergeReason.test(reason)
}
