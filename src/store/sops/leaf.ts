import { isJsonObject, type Json } from '../../lib/json.ts'

/** What SOPS encrypts one by one. Null is not among them: it stays as it is, and out of the MAC. */
export type Leaf = string | number | boolean

/** Keys from the root to a leaf. Lists add nothing to it: SOPS leaves out their indices. */
export type LeafPath = readonly string[]

/** The same tree with each leaf replaced by what `visit` makes of it, in document order. */
export function mapLeaves(
  value: Json,
  visit: (leaf: Leaf, path: LeafPath) => Leaf,
  path: LeafPath = [],
): Json {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, visit, path))
  if (isJsonObject(value)) {
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([key, item]) => [key, mapLeaves(item, visit, [...path, key])]),
    )
  }
  return typeof value === 'object' ? null : visit(value, path)
}

/** A leaf as the text that SOPS encrypts and takes into the MAC. */
export function leafText(leaf: Leaf): string {
  if (typeof leaf === 'boolean') return leaf ? 'True' : 'False'
  return typeof leaf === 'number' ? decimal(leaf) : leaf
}

/** SOPS's name of a leaf's type. */
export function leafType(leaf: Leaf): 'str' | 'int' | 'float' | 'bool' {
  if (typeof leaf === 'number') return Number.isInteger(leaf) ? 'int' : 'float'
  return typeof leaf === 'boolean' ? 'bool' : 'str'
}

/** Whether both sides read the same number from this: neither side's integers go on for ever. */
export function isPortableNumber(value: number): boolean {
  return Number.isInteger(value)
    ? Number.isSafeInteger(value) && !Object.is(value, -0)
    : Number.isFinite(value)
}

/** The shortest decimal digits that give the number back, never with an exponent. */
function decimal(value: number): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length)
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
