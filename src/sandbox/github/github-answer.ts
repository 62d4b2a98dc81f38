import type { Json } from '../../lib/json.ts'

export interface GithubAnswer {
  readonly status: number
  readonly body: Json
  readonly link?: string
  /** What a classic token may do, as GitHub says it in a header. */
  readonly scopes?: string
}

/** A refusal as GitHub words it. */
export function refuse(status: number, message: string): GithubAnswer {
  return {
    status,
    body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
  }
}
