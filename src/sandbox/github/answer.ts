import type { Json } from '../../lib/json.ts'

/** What the simulated GitHub answers. */
export interface Answer {
  readonly status: number
  readonly body: Json
  readonly link?: string
  /** What GitHub says of the token that asks. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal as GitHub words it. */
export function refuse(status: number, message: string): Answer {
  return {
    status,
    body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
  }
}
