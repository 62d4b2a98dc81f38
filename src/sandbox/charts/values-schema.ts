import type { JsonObject } from '../../lib/json.ts'

type TypeName = 'string' | 'boolean' | 'integer' | 'object' | 'array'

/** What a chart takes at one level of its values. */
export interface ValuesLevel {
  /** Names that the real chart has here, whether the stand-in heeds them or not; by spaces. */
  readonly known: string
  /** Names whose type is checked. */
  readonly typed?: Readonly<Record<string, TypeName | readonly TypeName[]>>
  readonly nested?: Readonly<Record<string, ValuesLevel>>
}

/** A values.schema.json that refuses what the real chart does not have: a mistyped value fails here. */
export function valuesSchema(level: ValuesLevel): JsonObject {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...levelSchema(level) }
}

function levelSchema({ known, typed = {}, nested = {} }: ValuesLevel): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(known.split(/\s+/).map((name) => [name, {}])),
      ...Object.fromEntries(Object.entries(typed).map(([name, type]) => [name, { type }])),
      ...Object.fromEntries(
        Object.entries(nested).map(([name, below]) => [name, levelSchema(below)]),
      ),
    },
  }
}
