import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Json } from '../../lib/json.ts'

/** A value as JSON carries it: without the fields that are undefined. */
export function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value))
}

/** JSON for people and for git's diffs: keys in one order, one value a line. */
export function jsonFile(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(JSON.parse(canonicalJson(toJson(value))), null, 2)}\n`)
}
