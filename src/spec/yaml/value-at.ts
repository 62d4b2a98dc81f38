import type { Path } from './yaml-source.ts'

/** What stands at `path` in plain values; undefined where nothing does. */
export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined
    return isMapping(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }, root)
}

/** `root` with the value at `path` replaced, or taken out where `value` is undefined; copies the way there. */
export function withValueAt(root: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (value === undefined && valueAt(root, path) === undefined) return root
  if (Array.isArray(root)) {
    return root.map((item, index) => (index === step ? withValueAt(item, rest, value) : item))
  }
  const mapping = isMapping(root) ? root : {}
  const inner = withValueAt(valueAt(mapping, [step]), rest, value)
  const others = Object.entries(mapping).filter(([key]) => key !== step)
  return Object.fromEntries(inner === undefined ? others : [...others, [step, inner]])
}

/** `root` without some keys of the mapping at `path`; copies the way there. */
export function withoutKeys(root: unknown, path: Path, keys: readonly string[]): unknown {
  const mapping = valueAt(root, path)
  if (!isMapping(mapping)) return root
  const unwanted = new Set(keys)
  const kept = Object.entries(mapping).filter(([key]) => !unwanted.has(key))
  return withValueAt(root, path, Object.fromEntries(kept))
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
