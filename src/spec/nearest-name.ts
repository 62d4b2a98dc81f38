import { closest, distance } from 'fastest-levenshtein'

/** Longer texts are no misspelt names, and comparing them takes time that grows with their square. */
const longestName = 80

/** The one of `names` that was probably meant by `written`; undefined where none is near. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  if (written.length > longestName || names.length === 0) return undefined
  const plain = simplify(written)
  const alike = names.find((name) => simplify(name) === plain)
  if (alike !== undefined) return alike
  const candidate = closest(
    plain,
    names.map((name) => simplify(name)),
  )
  const found = names.find((name) => simplify(name) === candidate)
  const allowed = Math.max(1, Math.floor(plain.length * 0.4))
  return found !== undefined && distance(plain, candidate) <= allowed ? found : undefined
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, '')
}
