import { documents, enumerations, releases, structs } from '../gen/talos-fields.ts'

/** The newest minor of Talos that the tables were made from. */
export const newestKnownMinor = Math.max(...Object.keys(releases).map(Number))

/** Whether a release of Talos came after the one of its minor that the tables were made from. */
export function isNewerThanTables(minor: number, patch: number): boolean {
  return patch > (releases[minor] ?? -1)
}

/** A range of minors of Talos, both ends included; undefined where it is open. */
export interface Minors {
  readonly since: number | undefined
  readonly until: number | undefined
}

/** A document kind that Talos of this minor has; its struct is a kind of checkValue. */
export function documentKind(
  kind: string,
  minor: number,
):
  | { readonly struct: string; readonly isNamed: boolean; readonly excludes: readonly string[] }
  | undefined {
  const known = knownDocument(kind)
  if (known === undefined || !isWithin(rangeOf(known.minors), minor)) return undefined
  return { struct: known.type, isNamed: known.named, excludes: known.excludes ?? [] }
}

/** The minors that have a kind of document; undefined where none has. */
export function minorsOfDocument(kind: string): Minors | undefined {
  const known = knownDocument(kind)
  return known && rangeOf(known.minors)
}

/** Kinds are what users write: `constructor` is none. */
function knownDocument(kind: string): (typeof documents)[string] | undefined {
  return Object.hasOwn(documents, kind) ? documents[kind] : undefined
}

export function documentKinds(minor: number): string[] {
  return Object.keys(documents).filter((kind) => kind !== '' && documentKind(kind, minor))
}

export function isStruct(kind: string): boolean {
  return Object.hasOwn(structs, kind)
}

/** The fields of a struct that Talos of this minor knows, with their kinds. */
export function fieldsOf(struct: string, minor: number): ReadonlyMap<string, string> {
  const fields = Object.entries(structs[struct] ?? {})
  return new Map(
    fields.flatMap(([name, text]) => {
      const kind = alternatives(text).find(({ minors }) => isWithin(minors, minor))
      return kind === undefined ? [] : [[name, kind.text] as const]
    }),
  )
}

/** The minors that know a field of a struct; undefined where none does. */
export function minorsOfField(struct: string, field: string): Minors | undefined {
  const fields = structs[struct] ?? {}
  const text = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (text === undefined) return undefined
  const ranges = alternatives(text).map(({ minors }) => minors)
  return { since: ranges[0]?.since, until: ranges.at(-1)?.until }
}

/** The names that an enumeration has; undefined for what is none. Upper case is taken for lower unless exact. */
export function namesOf(
  kind: string,
  minor: number,
): { readonly names: readonly string[]; readonly isExact: boolean } | undefined {
  const text = enumerations[kind]
  if (text === undefined) return undefined
  const isExact = text.startsWith('=')
  const names = alternatives(isExact ? text.slice(1) : text)
    .filter(({ minors }) => isWithin(minors, minor))
    .map((each) => each.text)
  return { names, isExact }
}

function alternatives(text: string): { text: string; minors: Minors }[] {
  return text.split('|').map((each) => {
    const [word = '', range] = each.split(' ')
    return { text: word, minors: rangeOf(range) }
  })
}

/** Reads `11-`, `-12` and `10-11`. */
function rangeOf(text = '-'): Minors {
  const [since = '', until = ''] = text.split('-')
  return {
    since: since === '' ? undefined : Number(since),
    until: until === '' ? undefined : Number(until),
  }
}

/** What is newer than the tables is judged by their newest. */
function isWithin({ since = 0, until = newestKnownMinor }: Minors, minor: number): boolean {
  const judged = Math.min(minor, newestKnownMinor)
  return judged >= since && judged <= until
}
