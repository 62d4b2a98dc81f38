import type { ServerResponse } from 'node:http'
import type { Json, JsonObject } from '../../../lib/json.ts'

export interface ApiUser {
  readonly name: string
  readonly groups: readonly string[]
}

/** A request as the handlers see it. */
export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Buffer
  readonly contentType: string
  readonly accept: string
  readonly userAgent: string
  readonly user: ApiUser
}

/** What a handler answers: JSON, plain text, or a stream that it writes itself. */
export type ApiReply =
  | {
      readonly code: number
      readonly json: JsonObject
      readonly contentType?: string
      readonly warnings?: readonly string[]
    }
  | { readonly code: number; readonly text: string }
  | { readonly stream: (response: ServerResponse) => void }

export function ok(json: JsonObject, warnings: readonly string[] = []): ApiReply {
  return { code: 200, json, warnings }
}

/** Which fields a request names: `?dryRun=All` and the like. */
export function isDryRun({ query }: Pick<ApiRequest, 'query'>): boolean {
  return query.getAll('dryRun').includes('All')
}

/** In whose name fields are owned: the parameter, or the user agent up to its slash. */
export function managerOf({ query, userAgent }: ApiRequest): string {
  return query.get('fieldManager') || userAgent.split('/')[0] || 'unknown'
}

/** A body as JSON; empty gives an empty object. */
export function parseJson(body: Buffer): Json {
  if (body.length === 0) return {}
  const parsed: Json = JSON.parse(body.toString('utf8'))
  return parsed
}
