import { parseAllDocuments } from 'yaml'

/** The documents of a machine config, by kind and name; the config itself has neither. */
export function documentsOf(text: string): Record<string, unknown> {
  const documents = parseAllDocuments(text).map((document) => document.toJS())
  return Object.fromEntries(
    documents.map((document) => [[document.kind ?? '', document.name].join(' ').trim(), document]),
  )
}

/** Every place in which two values differ: `path: theirs -> ours`. */
export function differences(theirs: unknown, ours: unknown, path = ''): string[] {
  if (isMap(theirs) && isMap(ours)) {
    const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)])
    return [...keys]
      .sort()
      .flatMap((key) => differences(theirs[key], ours[key], path === '' ? key : `${path}.${key}`))
  }
  const [left, right] = [JSON.stringify(theirs), JSON.stringify(ours)]
  return left === right ? [] : [`${path}: ${left} -> ${right}`]
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
