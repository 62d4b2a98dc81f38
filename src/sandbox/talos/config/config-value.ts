/** Reads parsed YAML without trusting its shape: a path that is not there, or is of another kind, is empty. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What stands at a dotted path; undefined where a part of it is missing. */
export function valueAt(root: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), root)
}

export function textAt(root: unknown, path: string): string {
  const value = valueAt(root, path)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export function listAt(root: unknown, path: string): unknown[] {
  const value = valueAt(root, path)
  return Array.isArray(value) ? value : []
}

export function textsAt(root: unknown, path: string): string[] {
  return listAt(root, path).filter((item): item is string => typeof item === 'string')
}

/** A map of texts; numbers and booleans become texts, as Go's YAML reads them. */
export function mapAt(root: unknown, path: string): Record<string, string> {
  const value = valueAt(root, path)
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, String(item ?? '')]))
}
