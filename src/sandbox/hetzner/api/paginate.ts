import { invalidFields } from './api-error.ts'
import type { Answer, Call } from './route.ts'

const defaultPerPage = 25
const maxPerPage = 50

/** One page of a list, with `meta.pagination` and a `Link` header, under the list's own name. */
export function paginate(call: Call, name: string, items: readonly unknown[]): Answer {
  const page = readNumber(call, 'page', 1, Number.MAX_SAFE_INTEGER)
  const perPage = readNumber(call, 'per_page', defaultPerPage, maxPerPage)
  const lastPage = Math.max(1, Math.ceil(items.length / perPage))
  const next = page < lastPage ? page + 1 : null
  const hidden = call.world.faults.nullLastPage
  return {
    status: 200,
    body: {
      [name]: items.slice((page - 1) * perPage, page * perPage),
      meta: {
        pagination: {
          page,
          per_page: perPage,
          previous_page: page > 1 ? page - 1 : null,
          next_page: next,
          last_page: hidden ? null : lastPage,
          total_entries: hidden ? null : items.length,
        },
      },
    },
    headers: linkHeader(call, page, next, lastPage),
  }
}

function readNumber(call: Call, key: string, fallback: number, max: number): number {
  const text = call.query.get(key)
  if (text === null) return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > max) throw invalidFields([key])
  return value
}

function linkHeader(
  call: Call,
  page: number,
  next: number | null,
  last: number,
): Record<string, string> {
  const link = (target: number, relation: string) => {
    const url = new URL(call.url)
    url.searchParams.set('page', String(target))
    return `<${url.href}>; rel="${relation}"`
  }
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(next === null ? [] : [link(next, 'next')]),
    link(last, 'last'),
  ]
  return { Link: links.join(', ') }
}
