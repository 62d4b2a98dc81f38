import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { hidden } from '../../plan/config-secrets.ts'
import {
  fillReferences,
  hasMarker,
  type NamedSecrets,
  referencesIn,
  referencesInJson,
} from '../../spec/secret-reference.ts'
import { valueIn } from '../../spec/value-of-secret.ts'
import type { ConfigDocument } from './config-document.ts'
import { parseConfigDocuments } from './config-documents.ts'
import { configLeaves } from './config-leaves.ts'
import type { ConfigDifference } from './diff-configs.ts'
import { formatYamlDocuments } from './yaml-documents.ts'

/** The documents as a node gets them. Throws `secret-missing`. */
export function fillDocuments(
  documents: readonly ConfigDocument[],
  named: NamedSecrets,
): readonly ConfigDocument[] {
  // Most configs refer to none, and stay the very same.
  if (!documents.some(hasMarker)) return documents
  return documents.map((document) => asDocument(fillReferences(document, valueIn(named))))
}

/** The same of a config as the state keeps it, which is a text with references. */
export function fillConfig(text: string, named: NamedSecrets): string {
  if (!text.includes(`\${secret:`)) return text
  return formatYamlDocuments(fillDocuments(parseConfigDocuments(text).filter(isJsonObject), named))
}

/** The names of the secrets that documents refer to. */
export function namesIn(documents: readonly ConfigDocument[]): string[] {
  return documents.flatMap((document) => referencesInJson(document).map(({ name }) => name))
}

/** The fields of a config that hold references, as a plan calls them, each with its text. */
export function referenceFields(documents: readonly ConfigDocument[]): ReadonlyMap<string, string> {
  if (namesIn(documents).length === 0) return new Map()
  return new Map(
    [...configLeaves(documents)].flatMap(([path, { value }]) =>
      referencesInJson(value).length > 0
        ? [[path, typeof value === 'string' ? value : JSON.stringify(value)]]
        : [],
    ),
  )
}

/** The fields that named secrets are filled into, each with its references: in the wanted config, and in the one that was given last. */
export interface ReferringFields {
  readonly wanted: ReadonlyMap<string, string>
  readonly given: ReadonlyMap<string, string>
}

/** The same of configs as they are wanted and as the state keeps one. */
export function referringFields(
  wanted: readonly ConfigDocument[],
  given: string | undefined,
): ReferringFields {
  const documents = given?.includes(`\${secret:`) ? parseConfigDocuments(given) : []
  return {
    wanted: referenceFields(wanted),
    given: referenceFields(documents.filter(isJsonObject)),
  }
}

/** The names of the secrets that a field refers to, or did. */
export function namesAt({ wanted, given }: ReferringFields, field: string): string[] {
  return [wanted, given].flatMap((fields) =>
    referencesIn(fields.get(field) ?? '').map(({ name }) => name),
  )
}

/**
 * Of what a named secret was filled into, and of what stands in its place, nothing is shown but the reference: also
 * where the reference is gone or went elsewhere, and the value with it.
 */
export function withoutFilled(
  difference: ConfigDifference,
  { wanted, given }: ReferringFields,
): ConfigDifference {
  const { path, before, after } = difference
  if (!wanted.has(path) && !given.has(path)) return difference
  return {
    ...difference,
    before: before === undefined ? before : hidden,
    after: wanted.get(path) ?? after,
  }
}

function asDocument(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new Error('a document stays a mapping')
  return value
}
