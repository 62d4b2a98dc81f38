import type { z } from 'zod'
import type { World } from '../../world.ts'
import type { HetznerState } from '../hetzner-state.ts'

/** A request that has passed every general check. */
export interface Call {
  readonly world: World
  readonly state: HetznerState
  /** The `{id}` of the path; 0 where it has none. */
  readonly id: number
  readonly query: URLSearchParams
  /** Address that the request was sent to, for `Link` headers. */
  readonly url: string
}

export interface Answer {
  readonly status: number
  /** Absent for 204. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/v1`, e.g. `/servers/{id}/actions/poweron`. */
  readonly path: string
  /** The query keys that it knows. */
  readonly query: readonly string[]
  /** Absent where it takes no body. */
  readonly body?: z.ZodType
  handle(call: Call, body: unknown): Answer | Promise<Answer>
}

type Handler<T> = (call: Call, body: T) => Answer | Promise<Answer>

export function get(path: string, query: readonly string[], handle: Handler<void>): Route {
  return { method: 'GET', path, query, handle: (call) => handle(call) }
}

export function remove(path: string, handle: Handler<void>): Route {
  return { method: 'DELETE', path, query: [], handle: (call) => handle(call) }
}

/** A POST whose body has this shape and nothing else. */
export function post<T>(path: string, body: z.ZodType<T>, handle: Handler<T>): Route {
  return write('POST', path, body, handle)
}

/** A PUT whose body has this shape and nothing else. */
export function put<T>(path: string, body: z.ZodType<T>, handle: Handler<T>): Route {
  return write('PUT', path, body, handle)
}

function write<T>(
  method: 'POST' | 'PUT',
  path: string,
  body: z.ZodType<T>,
  handle: Handler<T>,
): Route {
  // The body was checked against this very schema; parsing it again gives it its type.
  return { method, path, query: [], body, handle: (call, given) => handle(call, body.parse(given)) }
}
