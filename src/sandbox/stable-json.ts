import { createHash } from 'node:crypto'
import { isJsonObject, type Json } from '../lib/json.ts'

/** A value as text that does not depend on the order of its keys. */
export function stableJson(value: Json): string {
  return JSON.stringify(value, (_, each) =>
    isJsonObject(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

/** Lower-case hex SHA-256 of a text: 64 characters. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
