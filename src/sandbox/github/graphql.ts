import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { Answer } from './answer.ts'
import type { RefMove } from './git-objects.ts'
import type { GithubRepository } from './github-state.ts'

const objectId = /^[0-9a-f]{40}$/
const absent = '0'.repeat(40)

/**
 * The two questions of GraphQL that publishing asks: the id of a repository, and `updateRefs`. Answers are 200
 * whatever happened. A ref that is not where it was said to be is told like any failure: a text, and no type
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
  return undefined
}

function showRepository(
  repositories: ReadonlyMap<string, GithubRepository>,
  { owner, name }: JsonObject,
  token: string,
): Answer {
  const fullName = `${String(owner)}/${String(name)}`
  if (!repositories.get(fullName)?.tokens.has(token)) {
    return failed(`Could not resolve to a Repository with the name '${fullName}'.`, 'NOT_FOUND')
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
    const isWhole =
      typeof name === 'string' && typeof beforeOid === 'string' && typeof afterOid === 'string'
    if (!isWhole || Object.keys(others).length > 0 || !name.startsWith('refs/')) return undefined
    if (!objectId.test(beforeOid) || !objectId.test(afterOid)) return undefined
    return { name, before: beforeOid, after: afterOid }
  })
  return moves.every((move) => move !== undefined) ? moves : undefined
}

function idOf(fullName: string): string {
  return `R_${Buffer.from(fullName).toString('base64url')}`
}

function failed(message: string, type?: string): Answer {
  const error = type === undefined ? { message } : { type, message }
  return { status: 200, body: { data: null, errors: [error] } }
}
