import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { type ConfigDocument, type DocumentIdentity, documentIdentity } from './config-document.ts'
import { parseConfigDocuments } from './config-documents.ts'
import type { Path } from './merge-rules.ts'
import { PatchProblem } from './patch-problem.ts'

/** One `$patch: delete`: what it is to take out of the document of the same identity. */
export interface Deletion {
  /** Empty for the document itself. */
  readonly path: Path
  /** For an element of the list at `path`: the first that has this value under this key. */
  readonly element?: { readonly key: string; readonly value: string }
}

/** One document of a patch: its deletions come first, then what is left of it is merged. */
export interface PatchDocument {
  readonly identity: DocumentIdentity
  readonly deletions: readonly Deletion[]
  /** Undefined when nothing but deletions stood in it. */
  readonly merge: ConfigDocument | undefined
}

/** A JSON patch (RFC 6902): operations on the machine config itself. */
export interface JsonPatch {
  readonly operations: readonly Json[]
}

const legacyKeys = ['version', 'debug', 'persist', 'machine', 'cluster']
/** With nothing else in it, a document of which parts were deleted has nothing to merge. */
const identityKeys = ['version', 'kind', 'name']

/**
 * Reads a patch: a strategic merge patch, or a JSON patch where it is a list. Throws PatchProblem, or
 * YamlProblem, for what is none.
 */
export function parsePatch(text: string): JsonPatch | readonly PatchDocument[] {
  const written = parseConfigDocuments(text)
  const [first, ...others] = written
  if (Array.isArray(first) && others.length === 0) return { operations: first }
  const documents = written.map(parseDocument)
  const seen = new Set<string>()
  for (const { identity, merge } of documents) {
    // What is deleted may be added again, and something else of it be deleted before.
    if (merge === undefined) continue
    const key = JSON.stringify([identity.apiVersion, identity.kind, identity.name])
    if (seen.has(key)) {
      throw new PatchProblem(`the document ${identity.kind || 'without a kind'} stands in it twice`)
    }
    seen.add(key)
  }
  return documents
}

function parseDocument(document: Json): PatchDocument {
  if (Array.isArray(document)) {
    throw new PatchProblem(
      'a JSON patch (a list of operations) stands by itself, without further documents',
    )
  }
  if (!isJsonObject(document)) throw new PatchProblem('each document must be a mapping')
  const identity = documentIdentity(document)
  checkShape(identity, document)
  const deletions: Deletion[] = []
  const rest = takeDeletions(document, [], deletions)
  const onlyNames = isJsonObject(rest) && Object.keys(rest).every((k) => identityKeys.includes(k))
  const merge = isJsonObject(rest) && !(deletions.length > 0 && onlyNames) ? rest : undefined
  return { identity, deletions, merge }
}

function checkShape(identity: DocumentIdentity, document: JsonObject): void {
  if ((identity.kind === '') !== (identity.apiVersion === '')) {
    throw new PatchProblem('a document needs both apiVersion and kind, or neither')
  }
  if (identity.kind !== '') return
  const unknown = Object.keys(document).find((key) => !legacyKeys.includes(key) && key !== '$patch')
  if (unknown !== undefined) {
    throw new PatchProblem(
      `${unknown} is no part of a machine config; it has machine and cluster`,
      {
        at: [unknown],
      },
    )
  }
}

/** What is left of `value` without its deletions, which are collected; undefined when nothing is. */
function takeDeletions(value: Json, path: Path, found: Deletion[]): Json | undefined {
  if (Array.isArray(value)) return takeFromList(value, path, found)
  if (!isJsonObject(value)) return value
  if (value['$patch'] === 'delete') {
    found.push({ path })
    return undefined
  }
  const kept = Object.entries(value).flatMap(([key, each]) => {
    const rest = takeDeletions(each, [...path, key], found)
    return rest === undefined ? [] : [[key, rest] as const]
  })
  const emptied = kept.length === 0 && Object.keys(value).length > 0
  return emptied ? undefined : Object.fromEntries(kept)
}

function takeFromList(list: readonly Json[], path: Path, found: Deletion[]): Json | undefined {
  const kept = list.flatMap((element) => {
    if (isJsonObject(element) && element['$patch'] === 'delete') {
      found.push({ path, element: selectorOf(element, path) })
      return []
    }
    const inner: Deletion[] = []
    const rest = takeDeletions(element, path, inner)
    if (inner.length > 0) {
      throw new PatchProblem(`nothing inside of an element of ${path.join('.')} can be deleted`, {
        at: path,
      })
    }
    return rest === undefined ? [] : [rest]
  })
  return kept.length === 0 && list.length > 0 ? undefined : kept
}

function selectorOf(element: JsonObject, path: Path): { key: string; value: string } {
  const [entry] = Object.entries(element).filter(([key]) => key !== '$patch')
  if (entry === undefined) {
    throw new PatchProblem(
      `which element of ${path.join('.')} is to be deleted? name it by a field`,
      { at: path },
    )
  }
  return { key: entry[0], value: String(entry[1]) }
}
