import { z } from 'zod'
import { ClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject } from '../../lib/json.ts'
import type { ApiRequest, HetznerHttp, Query } from './hetzner-http.ts'

/** The largest page that Hetzner gives. */
const perPage = 50

/** How often a list that moved while it was read is read again. */
const mostPasses = 3

interface ListRequest<T> {
  readonly path: string
  /** The member of the answer that holds the list: `servers`. */
  readonly member: string
  readonly item: z.ZodType<T>
  readonly query?: Query
  readonly operation: string
}

/** What resource files call: requests under one abort signal. */
export interface HetznerCaller {
  request<T>(request: ApiRequest<T>): Promise<T>
  /** Every page, in Hetzner's order; what turns up on two pages because the list moved comes once. */
  list<T extends { readonly id: number }>(request: ListRequest<T>): Promise<T[]>
  /** How many there are, where Hetzner says so. */
  count(request: ListRequest<unknown>): Promise<number | undefined>
}

export function createCaller(http: HetznerHttp, signal: AbortSignal | undefined): HetznerCaller {
  const page = <T>(list: ListRequest<T>, query: Query) =>
    http.request(
      {
        method: 'GET',
        path: list.path,
        query: { ...list.query, ...query },
        schema: pageSchema(list),
        operation: list.operation,
      },
      signal,
    )
  return {
    request: (request) => http.request(request, signal),
    list: (list) =>
      listAll(list.operation, (number) => page(list, { page: number, per_page: perPage })),
    count: async (list) => {
      const { meta } = await page(list, { page: 1, per_page: 1 })
      return meta?.pagination?.total_entries ?? undefined
    },
  }
}

async function listAll<T extends { readonly id: number }>(
  operation: string,
  page: (number: number) => Promise<Page<T>>,
): Promise<T[]> {
  for (let pass = 1; pass <= mostPasses; pass++) {
    const items = await listOnce(page)
    if (items) return items
  }
  // A list that may lack something is worse than none: what is missing in it would be made again.
  throw new ClusterError(
    'hetzner-answer',
    `a list changed each of ${mostPasses} times it was read`,
    {
      operation,
      hint: 'Run again when less is being changed in this project.',
    },
  )
}

/**
 * All pages, once; undefined where the list moved under us. Something that went while we turned pages
 * moves what comes after it up over an edge, unseen: then the pages tell different totals, or fewer
 * came than there are.
 */
async function listOnce<T extends { readonly id: number }>(
  page: (number: number) => Promise<Page<T>>,
): Promise<T[] | undefined> {
  const byId = new Map<number, T>()
  const totals = new Set<number>()
  let number: number | undefined = 1
  while (number !== undefined) {
    const { items, meta }: Page<T> = await page(number)
    for (const item of items) byId.set(item.id, item)
    const { next_page, total_entries } = meta?.pagination ?? {}
    totals.add(total_entries ?? 0)
    number = pageAfter(number, next_page ?? undefined)
  }
  const isComplete = totals.size === 1 && byId.size >= Math.max(...totals)
  return isComplete ? [...byId.values()] : undefined
}

function pageAfter(number: number, next: number | undefined): number | undefined {
  if (next === undefined || next > number) return next
  throw new ClusterError(
    'hetzner-answer',
    `page ${number} of a list gives ${next} as the next page`,
  )
}

const metaSchema = z
  .object({
    pagination: z
      .object({ next_page: z.number().nullish(), total_entries: z.number().nullish() })
      .nullish(),
  })
  .nullish()

interface Page<T> {
  readonly items: readonly T[]
  readonly meta?: z.infer<typeof metaSchema>
}

function pageSchema<T>({ member, item }: ListRequest<T>) {
  return z.preprocess(
    (body) => (isJsonObject(body) ? { items: body[member], meta: body['meta'] } : body),
    z.object({ items: z.array(item), meta: metaSchema }),
  )
}
