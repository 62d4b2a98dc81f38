import type { ClusterError } from '../../lib/cluster-error.ts'
import type { Json } from '../../lib/json.ts'

/** What one node says to a question: as rows of a table for people, and as data for programs. */
export interface TalosReport {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly data: Json
  /** That the node has left something out that was asked for. */
  readonly failure?: ClusterError
}

/** A column of a table over items: its title, and what stands in it. */
export type Column<T> = readonly [
  title: string,
  cell: (item: T) => string | number | bigint | boolean,
]

/** A table over items, and the items themselves as data. */
export function tableOf<T>(
  items: readonly T[],
  columns: readonly Column<T>[],
  toData: (item: T) => Json,
): TalosReport {
  return {
    columns: columns.map(([title]) => title),
    rows: items.map((item) => columns.map(([, cell]) => String(cell(item)))),
    data: items.map(toData),
  }
}
