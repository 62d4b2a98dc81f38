import type { Json, JsonObject } from '../../../lib/json.ts'
import type { ConfigDocument } from '../config-document.ts'

/** A document of a kind with the fields that have a value. */
export function newDocument(
  kind: string,
  fields: Readonly<Record<string, Json | undefined>>,
): ConfigDocument {
  return { apiVersion: 'v1alpha1', kind, ...given(fields) }
}

/** The same as documents: none where no field has a value. */
export function ifAny(
  kind: string,
  fields: Readonly<Record<string, Json | undefined>>,
): ConfigDocument[] {
  return Object.keys(given(fields)).length > 0 ? [newDocument(kind, fields)] : []
}

export function given(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}
