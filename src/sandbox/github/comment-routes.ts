import { isJsonObject, type Json } from '../../lib/json.ts'
import { type Answer, refuse } from './answer.ts'
import type { GithubComment, GithubRepository } from './github-state.ts'

interface CommentCall {
  readonly method: string
  /** Below the repository. */
  readonly rest: string
  readonly body: Json
  readonly token: string
  /** Which part of a list is asked for, and its Link header. */
  readonly paginate: (all: readonly Json[]) => Answer
}

/** Comments of issues and pull requests. Undefined for another route. */
export function answerComments(
  repository: GithubRepository,
  call: CommentCall,
): Answer | undefined {
  const { method, rest, token } = call
  const issue = Number(/^\/issues\/(\d+)\/comments$/.exec(rest)?.[1])
  if (issue > 0 && method === 'GET') {
    const all = repository.comments.filter((comment) => comment.issue === issue)
    return call.paginate(all.map(showComment))
  }
  const id = Number(/^\/issues\/comments\/(\d+)$/.exec(rest)?.[1])
  const comment = repository.comments.find((candidate) => candidate.id === id)
  if ((issue > 0 && method === 'POST') || (id > 0 && method === 'PATCH')) {
    if (id > 0 && !comment) return refuse(404, 'Not Found')
    const body = readBody(call.body, repository.longestBody)
    if (body === undefined) return refuse(422, 'Validation Failed')
    const writer = repository.loginOf(token)
    if (!comment) {
      const added = repository.addComment({ issue, body, author: writer })
      return { status: 201, body: showComment(added) }
    }
    repository.editComment(comment, body, writer)
    return { status: 200, body: showComment(comment) }
  }
  return undefined
}

/** The same comment as GraphQL has it: with who wrote it last, and when. */
export function showWriting(comment: GithubComment): Json {
  const { body, author, createdAt, lastEditedAt = null, editor } = comment
  return {
    body,
    createdAt,
    lastEditedAt,
    author: showActor(author),
    editor: editor === undefined ? null : showActor(editor),
  }
}

/** REST has the end of a bot's login, and GraphQL has not. */
function showActor({ login, type }: GithubComment['author']): Json {
  return { __typename: type, login: type === 'Bot' ? login.replace(/\[bot\]$/, '') : login }
}

function showComment(comment: GithubComment): Json {
  const { id, issue, body, author, createdAt, lastEditedAt } = comment
  return {
    id,
    node_id: commentNode(comment),
    body,
    user: { ...author },
    created_at: createdAt,
    updated_at: lastEditedAt ?? createdAt,
    html_url: `https://github.com/pull/${issue}#issuecomment-${id}`,
  }
}

export function commentNode({ id }: GithubComment): string {
  return `IC_${id}`
}

/** The text of a new body; undefined where GitHub answers 422. */
function readBody(body: Json, longest: number): string | undefined {
  if (!isJsonObject(body) || typeof body['body'] !== 'string') return undefined
  if (Object.keys(body).length !== 1) return undefined
  return body['body'].length > 0 && body['body'].length <= longest ? body['body'] : undefined
}
