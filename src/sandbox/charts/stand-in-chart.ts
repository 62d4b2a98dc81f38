import type { JsonObject } from '../../lib/json.ts'

/**
 * A small chart of our own under the name of a real one: the same kinds of objects under the same
 * names, made from the same values. Text, not files, so that it is found from a bundle too.
 */
export interface StandInChart {
  readonly name: string
  readonly description: string
  /** The versions of the real chart in whose place it may stand. */
  readonly versions: readonly string[]
  readonly values: JsonObject
  readonly schema: JsonObject
  /** Templates by file name. */
  readonly templates: Readonly<Record<string, string>>
}
