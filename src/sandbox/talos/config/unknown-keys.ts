import { isRecord } from './config-value.ts'
import type { Fields } from './v1alpha1-fields.ts'

type Shape = Fields | readonly [Fields | string] | string

/** What is wrong with the shape of a document. */
export interface ShapeFaults {
  /** The part of the document that no field takes; undefined where all of it has a place. */
  readonly unknown: Record<string, unknown> | undefined
  /** Values of the wrong kind, e.g. a text where a list belongs. */
  readonly mismatches: readonly string[]
}

interface Check {
  readonly isKnown: (path: string) => boolean
  readonly mismatches: string[]
}

/** Holds a document against the fields that exist; `isKnown` may refuse single paths, such as those of later versions. */
export function checkShape(
  document: Record<string, unknown>,
  fields: Fields,
  isKnown: (path: string) => boolean,
): ShapeFaults {
  const check: Check = { isKnown, mismatches: [] }
  return { unknown: unknownFields(document, fields, '', check), mismatches: check.mismatches }
}

function unknownFields(
  value: Record<string, unknown>,
  shape: Fields,
  path: string,
  check: Check,
): Record<string, unknown> | undefined {
  const plain = plainFields(shape._ ?? '')
  const unknown = Object.entries(value).flatMap(([key, item]) => {
    const itemPath = path === '' ? key : `${path}.${key}`
    const expected = plain.get(key) ?? (key === '_' ? undefined : (shape[key] ?? shape['*']))
    if (expected === undefined || !check.isKnown(itemPath)) return [[key, item]]
    const inside = plain.has(key)
      ? checkKind(item, plain.get(key) ?? '', itemPath, check)
      : unknownInside(item, expected, itemPath, check)
    return inside === undefined ? [] : [[key, inside]]
  })
  return unknown.length === 0 ? undefined : Object.fromEntries(unknown)
}

function unknownInside(item: unknown, shape: Shape, path: string, check: Check): unknown {
  if (item === null || item === undefined) return undefined
  if (isList(shape)) {
    if (!Array.isArray(item)) return checkKind(item, '[]', path, check)
    const inside = item
      .map((entry) => unknownInside(entry, shape[0], path, check))
      .filter((entry) => entry !== undefined)
    return inside.length === 0 ? undefined : inside
  }
  if (!isRecord(item)) return checkKind(item, '{}', path, check)
  return unknownFields(item, typeof shape === 'string' ? { _: shape } : shape, path, check)
}

/** Notes a value of the wrong kind. Answers undefined, since its key is known. */
function checkKind(value: unknown, kind: string, path: string, check: Check): undefined {
  if (value === null || value === undefined || hasKind(value, kind)) return undefined
  const tag = Array.isArray(value) ? '!!seq' : isRecord(value) ? '!!map' : '!!str'
  check.mismatches.push(`${path}: cannot unmarshal ${tag} into ${goKinds[kind] ?? 'string'}`)
  return undefined
}

function hasKind(value: unknown, kind: string): boolean {
  if (kind === '[]') return Array.isArray(value)
  if (kind === '{}') return isRecord(value)
  if (kind === '?') return typeof value === 'boolean'
  if (kind === '#') return typeof value === 'number'
  return typeof value !== 'object'
}

const goKinds: Readonly<Record<string, string>> = {
  '[]': '[]string',
  '{}': 'map[string]string',
  '?': 'bool',
  '#': 'int',
}

function isList(shape: Shape): shape is readonly [Fields | string] {
  return Array.isArray(shape)
}

/** Names with their kinds: `a b[]` is a text and a list. */
function plainFields(names: string): Map<string, string> {
  const fields = names.split(' ').map((field): [string, string] => {
    const name = field.replace(/[^A-Za-z0-9]+$/, '')
    return [name, field.slice(name.length)]
  })
  return new Map(fields.filter(([name]) => name !== ''))
}
