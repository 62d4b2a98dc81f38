import { documents, enumerations, structs } from './gen/talos-fields.ts'

/** How Go reads a scalar into a field: what of its spelling is kept. */
export type FieldReading = 'text' | 'bool' | 'whole' | 'number or text' | 'any' | 'JSON'

/**
 * The kind of a document as the table of fields names it, in whichever minor has it; `any` for one that
 * none has.
 */
export function kindOfDocument(kind: string): string {
  return (Object.hasOwn(documents, kind) ? documents[kind]?.type : undefined) ?? 'any'
}

/** The kind of what is below a key, or in a list, of something of a kind. `any` for what is not known. */
export function kindBelow(kind: string, key: string | undefined): string {
  if (kind === jsonKind) return jsonKind
  // An argument may have several texts.
  if (kind === '(v1alpha1.ArgValue)' || kind === '(meta.ArgValue)') return 'string'
  if (key === undefined) return kind.startsWith('[]') ? kind.slice(2) : 'any'
  if (kind.startsWith('{}')) return kind.slice(2)
  const fields = Object.hasOwn(structs, kind) ? (structs[kind] ?? {}) : {}
  const text = Object.hasOwn(fields, key) ? fields[key] : undefined
  // A field that has changed is read the same way before and after; a test holds that.
  return text?.split('|').at(-1)?.split(' ')[0] ?? 'any'
}

/** The kind of all that is in a JSON patch, which knows of no fields. */
export const jsonKind = 'JSON'

/** How a scalar is read into a field of a kind. */
export function readingOf(kind: string): FieldReading {
  if (kind === 'bool' || kind === jsonKind) return kind
  if (/^u?int\d*$/.test(kind)) return 'whole'
  if (kind === '(time.Duration)' || kind === '(network.PortRange)') return 'number or text'
  if (kind === 'string' || kind.startsWith('(') || Object.hasOwn(enumerations, kind)) return 'text'
  return 'any'
}
