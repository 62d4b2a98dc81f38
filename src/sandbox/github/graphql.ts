import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { type Answer, refuse } from './answer.ts'
import { commentNode, showWriting } from './comment-routes.ts'
import type { RefMove } from './git-objects.ts'
import type { GithubPull, GithubRepository } from './github-state.ts'
import { pressQuery, queueQuery, showPresses, showQueueEntry } from './pull-queries.ts'

const objectId = /^[0-9a-f]{40}$/
const absent = '0'.repeat(40)

/**
 * The questions of GraphQL that are asked: the id of a repository, `updateRefs`, who is asking, since when a
 * pull request is queued and by whom it was decided to merge it, and who wrote a comment last. Answers are 200 whatever happened. A ref that is not where it was said to be is told like any failure: a text, and no type
 * (github.com/orgs/community/discussions/213655). Undefined for what the sandbox does not know.
 */
export async function answerGraphql(
  repositories: ReadonlyMap<string, GithubRepository>,
  body: Json,
  token: string,
): Promise<Answer | undefined> {
  if (!isJsonObject(body) || typeof body['query'] !== 'string') return undefined
  const query = body['query'].replaceAll(/\s+/g, ' ').trim()
  const variables = isJsonObject(body['variables']) ? body['variables'] : {}
  if (/^query [^{]*\{ repository\(owner: \$owner, name: \$name\) \{ id \} \}$/.test(query)) {
    return showRepository(repositories, variables, token)
  }
  if (/^mutation [^{]*\{ updateRefs\(input: \$input\) \{ clientMutationId \} \}$/.test(query)) {
    return updateRefs(repositories, variables['input'] ?? null, token)
  }
  if (query === 'query { viewer { login } }') return showViewer(repositories, token)
  if (commentQuery.test(query)) return showNode(repositories, variables, token)
  if (query === queueQuery) return showPull(repositories, variables, token, showQueueEntry)
  if (query === pressQuery) return showPull(repositories, variables, token, showPresses)
  return undefined
}

const commentQuery =
  /^query \(\$id: ID!\) \{ node\(id: \$id\) \{ \.\.\. on IssueComment \{ body createdAt lastEditedAt author \{ __typename login \} editor \{ __typename login \} \} \} \}$/

function showPull(
  repositories: ReadonlyMap<string, GithubRepository>,
  { owner, name, number, ...others }: JsonObject,
  token: string,
  show: (pull: GithubPull, repository: GithubRepository) => JsonObject,
): Answer | undefined {
  const isTyped =
    typeof owner === 'string' && typeof name === 'string' && Number.isInteger(number ?? null)
  if (!isTyped || Object.keys(others).length > 0) return undefined
  const repository = repositories.get(`${owner}/${name}`)
  if (!repository?.tokens.has(token)) return noRepository(`${owner}/${name}`)
  const errors = repository.failures.shift()
  if (errors) return { status: 200, body: { data: null, errors } }
  if (repository.hidesQueue) return failed('Resource not accessible by integration', 'FORBIDDEN')
  const pull = repository.pulls.find((one) => one.number === number)
  if (!pull) {
    return failed(
      `Could not resolve to a PullRequest with the number of ${String(number)}.`,
      'NOT_FOUND',
    )
  }
  return { status: 200, body: { data: { repository: { pullRequest: show(pull, repository) } } } }
}

function showViewer(repositories: ReadonlyMap<string, GithubRepository>, token: string): Answer {
  const repository = [...repositories.values()].find(({ tokens }) => tokens.has(token))
  if (!repository) return refuse(401, 'Bad credentials')
  return { status: 200, body: { data: { viewer: { login: repository.loginOf(token).login } } } }
}

function showNode(
  repositories: ReadonlyMap<string, GithubRepository>,
  { id }: JsonObject,
  token: string,
): Answer {
  const readable = [...repositories.values()].filter(({ tokens }) => tokens.has(token))
  const comment = readable
    .flatMap(({ comments }) => comments)
    .find((candidate) => commentNode(candidate) === id)
  if (!comment) {
    return failed(`Could not resolve to a node with the global id of '${String(id)}'`, 'NOT_FOUND')
  }
  return { status: 200, body: { data: { node: showWriting(comment) } } }
}

function showRepository(
  repositories: ReadonlyMap<string, GithubRepository>,
  { owner, name }: JsonObject,
  token: string,
): Answer {
  const fullName = `${String(owner)}/${String(name)}`
  if (!repositories.get(fullName)?.tokens.has(token)) {
    return noRepository(fullName)
  }
  return { status: 200, body: { data: { repository: { id: idOf(fullName) } } } }
}

async function updateRefs(
  repositories: ReadonlyMap<string, GithubRepository>,
  input: Json,
  token: string,
): Promise<Answer | undefined> {
  const moves = isJsonObject(input) && readMoves(input['refUpdates'] ?? null)
  if (!moves || !isJsonObject(input) || Object.keys(input).length !== 2) return undefined
  const found = [...repositories].find(([name]) => idOf(name) === input['repositoryId'])
  const repository = found?.[1]
  const access = repository?.tokens.get(token)
  if (!repository?.git || access === undefined) {
    return failed('Could not resolve to a node with the global id', 'NOT_FOUND')
  }
  if (access === 'read') return failed('Resource not accessible by integration', 'FORBIDDEN')
  const moved = await repository.git.moveRefs(moves)
  return moved
    ? { status: 200, body: { data: { updateRefs: { clientMutationId: null } } } }
    : failed('Something went wrong while executing your query.')
}

function readMoves(updates: Json): RefMove[] | undefined {
  if (!Array.isArray(updates) || updates.length === 0) return undefined
  const moves = updates.map((update): RefMove | undefined => {
    if (!isJsonObject(update)) return undefined
    const { name, beforeOid, afterOid = absent, ...others } = update
    const isComplete =
      typeof name === 'string' && typeof beforeOid === 'string' && typeof afterOid === 'string'
    if (!isComplete || Object.keys(others).length > 0 || !name.startsWith('refs/')) return undefined
    if (!objectId.test(beforeOid) || !objectId.test(afterOid)) return undefined
    return { name, before: beforeOid, after: afterOid }
  })
  return moves.every((move) => move !== undefined) ? moves : undefined
}

function noRepository(fullName: string): Answer {
  return failed(`Could not resolve to a Repository with the name '${fullName}'.`, 'NOT_FOUND')
}

function idOf(fullName: string): string {
  return `R_${Buffer.from(fullName).toString('base64url')}`
}

function failed(message: string, type?: string): Answer {
  const error = type === undefined ? { message } : { type, message }
  return { status: 200, body: { data: null, errors: [error] } }
}
