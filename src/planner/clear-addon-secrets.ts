import { parseAllDocuments } from 'yaml'
import { jsonValues } from '../addons/merge-values.ts'
import type { Json } from '../lib/json.ts'
import { fieldAt } from '../lib/kubernetes-object.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import { manifestPlaces, valuePlaces } from '../spec/secret-references.ts'
import { clearPlaces } from './clear-places.ts'

/**
 * The secrets that stand in plain text in values and manifests of addons, of any mode: for whoever shows what is made of
 * them, since charts put them where nothing tells that they are secrets. Pure.
 */
export function clearAddonSecrets(spec: CommonSpec): string[] {
  const documents = [
    ...valuePlaces(spec).map(({ values }): Json => jsonValues(values)),
    ...manifestPlaces(spec).flatMap(({ text }) => documentsIn(text)),
  ]
  return documents.flatMap((document) =>
    clearPlaces(document).flatMap((path) => {
      const text = fieldAt(document, ...path)
      return typeof text === 'string' ? [text] : []
    }),
  )
}

/** What is no YAML is a finding elsewhere. */
function documentsIn(text: string): Json[] {
  return [...parseAllDocuments(text)].flatMap((document): Json[] =>
    document.errors.length > 0 ? [] : [document.toJS()],
  )
}
