import { isJsonObject, type Json } from '../../../lib/json.ts'
import { isList } from './read-config.ts'

/** The type of a value in plain words; never itself, for it may be a secret. */
export function describeShape(value: Json): string {
  if (isList(value)) return 'a list'
  if (isJsonObject(value)) return 'a mapping'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'number' ? 'a number' : 'true or false'
}
