import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { ConfigDocument } from './config-document.ts'
import { kindBelow, kindOfDocument, readingOf } from './field-reading.ts'
import { TypedReader } from './typed-value.ts'
import { readDocuments } from './yaml-documents.ts'

/**
 * The documents of a machine config, or of a patch for one, as Talos reads them: a value becomes what its
 * field takes, by the spelling in the text. Empty documents are left out. Throws YamlProblem.
 */
export function parseConfigDocuments(text: string): Json[] {
  const reader = new TypedReader()
  return readDocuments(
    text,
    { schema: 'failsafe', merge: false, resolveKnownTags: false, logLevel: 'silent' },
    (document) => reader.document(document),
  )
}

/**
 * A document that was put together without knowing its fields, as Talos reads it once it is written: a number
 * where it takes a text is that text.
 */
export function settleDocument(document: ConfigDocument): ConfigDocument {
  const kind = typeof document['kind'] === 'string' ? document['kind'] : ''
  return settleObject(kindOfDocument(kind), document)
}

function settleObject(kind: string, value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, settle(kindBelow(kind, key), each)]),
  )
}

function settle(kind: string, value: Json): Json {
  if (Array.isArray(value)) return value.map((each) => settle(kindBelow(kind, undefined), each))
  if (isJsonObject(value)) return settleObject(kind, value)
  return readingOf(kind) === 'text' && value !== null ? String(value) : value
}
