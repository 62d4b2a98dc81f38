import { jsonEquals } from '../../lib/canonical-json.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { ConfigDocument } from './config-document.ts'
import {
  isFreeForm,
  isReplaced,
  type KeyedList,
  keyedList,
  type Path,
  zeroOverrides,
} from './merge-rules.ts'
import { PatchProblem } from './patch-problem.ts'

/** `right` merged into `left`, two documents of one identity, by Talos's rules. */
export function mergeDocuments(left: ConfigDocument, right: ConfigDocument): ConfigDocument {
  const kind = typeof left['kind'] === 'string' ? left['kind'] : ''
  return mergeObjects(kind, [], left, right)
}

function mergeObjects(kind: string, path: Path, left: JsonObject, right: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...left }
  for (const [key, value] of Object.entries(right)) {
    const result = mergeValues(kind, [...path, key], merged[key], value)
    if (result !== undefined) merged[key] = result
  }
  return merged
}

function mergeValues(
  kind: string,
  path: Path,
  left: Json | undefined,
  right: Json,
): Json | undefined {
  if (right === null) return mergeNull(kind, path, left)
  if (left === undefined || left === null) return firstValue(kind, path, right)
  if (isReplaced(kind, path)) return right
  if (isList(left) && isList(right)) return mergeLists(kind, path, left, right)
  if (isJsonObject(left) && isJsonObject(right)) return mergeObjects(kind, path, left, right)
  if (!isScalar(left) || !isScalar(right)) throw mismatch(kind, path, left, right)
  if (isFreeForm(kind, path) && typeof left !== typeof right)
    throw mismatch(kind, path, left, right)
  const unset = right === '' || right === 0
  return unset && !zeroOverrides(kind, path) ? left : right
}

/** Null is how Go reads a key without a value: not set, but in what holds anything. */
function mergeNull(kind: string, path: Path, left: Json | undefined): Json | undefined {
  if (!isFreeForm(kind, path.slice(0, -1))) return left
  if (left === undefined || left === null) return null
  throw mismatch(kind, path, left, null)
}

/** A list whose elements have keys is merged even where there was none: two of one key become one. */
function firstValue(kind: string, path: Path, right: Json): Json {
  return isList(right) && keyedList(kind, path) ? mergeLists(kind, path, [], right) : right
}

function mergeLists(
  kind: string,
  path: Path,
  left: readonly Json[],
  right: readonly Json[],
): readonly Json[] {
  const rule = keyedList(kind, path)
  if (rule === undefined) return [...left, ...right]
  return right.reduce<readonly Json[]>(
    (list, element) => mergeElement(kind, path, rule, list, element),
    left,
  )
}

function mergeElement(
  kind: string,
  path: Path,
  rule: KeyedList,
  list: readonly Json[],
  element: Json,
): readonly Json[] {
  const index = list.findIndex((each) => sameElement(rule, each, element))
  const existing = list[index]
  if (!isJsonObject(existing) || !isJsonObject(element)) return [...list, element]
  const merged = rule.replace ? element : mergeObjects(kind, [...path, '[]'], existing, element)
  return list.with(index, merged)
}

function sameElement({ keys }: KeyedList, a: Json, b: Json): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const key = keys.find((name) => b[name] !== undefined && b[name] !== '' && b[name] !== null)
  if (key === undefined) return false
  const [left, right] = [a[key], b[key]]
  return left !== undefined && right !== undefined && jsonEquals(left, right)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object'
}

function mismatch(kind: string, path: Path, left: Json, right: Json): PatchProblem {
  const message = `${path.join('.')} is ${shape(left)}, and the patch has ${shape(right)}`
  return new PatchProblem(message, { at: path, kind })
}

function shape(value: Json): string {
  if (isList(value)) return 'a list'
  return isJsonObject(value) ? 'a mapping' : `a ${typeof value}`
}
