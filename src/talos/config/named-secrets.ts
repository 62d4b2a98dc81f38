import { ClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { hidden } from '../../plan/config-secrets.ts'
import {
  fillReferences,
  hasMarker,
  type NamedSecrets,
  referencesInJson,
  secretVariable,
} from '../../spec/secret-reference.ts'
import { type ConfigDocument, documentIdentity, sameIdentity } from './config-document.ts'
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

/** The value of a secret by its name. Throws `secret-missing`. */
export function valueIn(named: NamedSecrets): (name: string) => string {
  return (name) => {
    const value = named.get(name)
    if (value !== undefined) return value
    throw new ClusterError('secret-missing', `the secret ${name} is not known`, {
      operation: 'fill a reference',
      target: name,
      hint: `Run \`hcloud-talos secret set ${name}\`, or give an apply ${secretVariable(name)} in its environment.`,
    })
  }
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

/** Of what a named secret was filled into, and of what stands in its place, nothing is shown but the reference. */
export function withoutFilled(
  difference: ConfigDifference,
  referring: ReadonlyMap<string, string>,
): ConfigDifference {
  const after = referring.get(difference.path)
  return after === undefined ? difference : { ...difference, before: hidden, after }
}

/**
 * A config that a node runs, with the references of the wanted one in the place of what was filled into it: what
 * is kept of it holds no secret that has a name.
 */
export function unfillDocuments(
  running: readonly ConfigDocument[],
  wanted: readonly ConfigDocument[],
): ConfigDocument[] {
  return running.map((document) => {
    const identity = documentIdentity(document)
    const twin = wanted.find((other) => sameIdentity(documentIdentity(other), identity))
    return twin ? asDocument(unfill(document, twin)) : document
  })
}

function unfill(running: Json, wanted: Json): Json {
  if (typeof wanted === 'string') return hasMarker(wanted) ? wanted : running
  if (Array.isArray(wanted) && Array.isArray(running)) {
    return running.map((each, index) => unfill(each, wanted[index] ?? null))
  }
  if (!isJsonObject(wanted) || !isJsonObject(running)) return running
  return Object.fromEntries(
    Object.entries(running).map(([key, each]) => [key, unfill(each, wanted[key] ?? null)]),
  )
}

function asDocument(value: Json): JsonObject {
  if (!isJsonObject(value)) throw new Error('a document stays a mapping')
  return value
}
