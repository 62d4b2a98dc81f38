import type { JsonObject } from '../../lib/json.ts'
import type { GithubPull, GithubRepository } from './github-state.ts'

const ofPull = (fields: string) =>
  `query ($owner: String!, $name: String!, $number: Int!) { repository(owner: $owner, name: $name) { pullRequest(number: $number) { ${fields} } } }`

export const queueQuery = ofPull('mergeQueueEntry { enqueuedAt }')

export function showQueueEntry({ enqueuedAt }: GithubPull): JsonObject {
  return { mergeQueueEntry: enqueuedAt === undefined ? null : { enqueuedAt } }
}

const events = [
  'AutoMergeEnabledEvent',
  'AutoSquashEnabledEvent',
  'AutoRebaseEnabledEvent',
  'AutoMergeDisabledEvent',
  'AddedToMergeQueueEvent',
  'RemovedFromMergeQueueEvent',
]
const itemTypes = events.map((name) => name.replaceAll(/\B[A-Z]/g, '_$&').toUpperCase()).join(', ')
const fieldsOf = (name: string) =>
  name === 'RemovedFromMergeQueueEvent' ? 'createdAt reason' : 'createdAt'
const items = events.map((name) => `... on ${name} { ${fieldsOf(name)} }`).join(' ')

export const pressQuery = ofPull(
  `timelineItems(last: 100, itemTypes: [ ${itemTypes} ]) { nodes { __typename ${items} } } reviews(last: 100, states: [APPROVED]) { nodes { submittedAt authorCanPushToRepository author { __typename } } }`,
)

export function showPresses(
  { presses, approvals }: GithubPull,
  repository: GithubRepository,
): JsonObject {
  return {
    timelineItems: {
      nodes: presses.slice(-100).map(({ type, at, reason }) => ({
        __typename: type,
        createdAt: at,
        ...(type === 'RemovedFromMergeQueueEvent' && { reason: reason ?? null }),
      })),
    },
    reviews: {
      nodes: approvals.slice(-100).map(({ at, author }) => ({
        submittedAt: at,
        authorCanPushToRepository: repository.mayPush(author),
        author: { __typename: author.type },
      })),
    },
  }
}
