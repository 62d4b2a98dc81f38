import type { JsonObject } from '../../lib/json.ts'
import type { GithubPull } from './github-state.ts'

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
]
const itemTypes = events.map((name) => name.replaceAll(/\B[A-Z]/g, '_$&').toUpperCase()).join(', ')
const items = events.map((name) => `... on ${name} { createdAt }`).join(' ')

export const pressQuery = ofPull(
  `timelineItems(last: 100, itemTypes: [ ${itemTypes} ]) { nodes { __typename ${items} } } reviews(last: 100, states: [APPROVED]) { nodes { submittedAt authorAssociation author { __typename } } }`,
)

export function showPresses({ presses, approvals }: GithubPull): JsonObject {
  return {
    timelineItems: {
      nodes: presses.slice(-100).map(({ type, at }) => ({ __typename: type, createdAt: at })),
    },
    reviews: {
      nodes: approvals.slice(-100).map(({ at, association }) => ({
        submittedAt: at,
        authorAssociation: association,
        author: { __typename: 'User' },
      })),
    },
  }
}
