import { parseSelector } from '../label-selector.ts'
import type { Labels } from '../labels.ts'
import { invalidFields, invalidInput } from './api-error.ts'
import { paginate } from './paginate.ts'
import type { Answer, Call } from './route.ts'

/** What every list can be narrowed and sorted by. */
export interface Listed {
  readonly id: number
  readonly name: string | null
  readonly labels: Labels
  readonly created: number
}

/** The query keys of an ordinary list. */
export const listQuery = ['name', 'label_selector', 'sort', 'page', 'per_page'] as const

/**
 * Answers a list: by name and label selector, sorted, one page of it. One that is filtered shows what is new a
 * little late: its own id is the way to see it at once.
 */
export function list<T extends Listed>(
  call: Call,
  name: string,
  records: Iterable<T>,
  render: (record: T) => unknown,
): Answer {
  const names = call.query.getAll('name')
  const matches = readSelector(call)
  const isFiltered = names.length > 0 || call.query.has('label_selector')
  const listedUntil = call.state.now() - (isFiltered ? call.world.faults.listLagMs : 0)
  const found = [...records].filter(
    (record) =>
      record.created <= listedUntil &&
      (names.length === 0 || names.includes(record.name ?? '')) &&
      matches(record.labels),
  )
  return paginate(call, name, sortBy(call, found, compare).map(render))
}

const compare = {
  id: (a: Listed, b: Listed) => a.id - b.id,
  name: (a: Listed, b: Listed) => compareTexts(a.name ?? '', b.name ?? ''),
  created: (a: Listed, b: Listed) => a.created - b.created || a.id - b.id,
}

/** Sorts by the `sort` keys of the query (`name`, `name:desc`, repeated); by id where there are none. */
export function sortBy<T extends { readonly id: number }>(
  call: Call,
  records: readonly T[],
  comparers: Readonly<Record<string, (a: T, b: T) => number>>,
): T[] {
  const orders = call.query.getAll('sort').map((sort) => {
    const [key = '', direction = 'asc'] = sort.split(':')
    const comparer = comparers[key]
    if (comparer === undefined || !['asc', 'desc'].includes(direction))
      throw invalidFields(['sort'])
    return (a: T, b: T) => (direction === 'asc' ? comparer(a, b) : comparer(b, a))
  })
  return records.toSorted((a, b) => {
    for (const order of orders) {
      const result = order(a, b)
      if (result !== 0) return result
    }
    return a.id - b.id
  })
}

/** Keeps what has one of the values that the query gives for this key; everything where it gives none. */
export function isAsked(call: Call, key: string, value: string): boolean {
  const values = call.query.getAll(key)
  return values.length === 0 || values.includes(value)
}

function readSelector(call: Call): (labels: Labels) => boolean {
  const selector = call.query.get('label_selector')
  if (selector === null || selector === '') return () => true
  const matches = parseSelector(selector)
  if (matches === undefined) throw invalidInput("invalid input in field 'label_selector'")
  return matches
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
