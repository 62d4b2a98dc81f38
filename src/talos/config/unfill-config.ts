import { isJsonObject, type Json } from '../../lib/json.ts'
import { formsOf, hasMarker, type NamedSecrets, referTo } from '../../spec/secret-reference.ts'
import { type ConfigDocument, documentIdentity, sameIdentity } from './config-document.ts'
import { configLeaves } from './config-leaves.ts'
import { referenceFields } from './named-secrets.ts'

/**
 * A config that a node runs, with the references of the wanted one in the place of what was filled into it, and in
 * the place of values wherever else they stand. Undefined where one may be left: where a reference finds no place, a
 * list that has some is of another length, or a value stands in a form that no reference becomes.
 */
export function unfillDocuments(
  running: readonly ConfigDocument[],
  wanted: readonly ConfigDocument[],
  named: NamedSecrets,
): readonly ConfigDocument[] | undefined {
  const pairs = running.map((document) => {
    const identity = documentIdentity(document)
    const twin = wanted.find((other) => sameIdentity(documentIdentity(other), identity))
    return { document, twin: twin ?? {} }
  })
  if (!pairs.every(({ document, twin }) => haveSameLists(document, twin))) return undefined
  const putBack = (text: string) => referTo(text, named)
  const unfilled = pairs.map(({ document, twin }) => {
    const value = unfill(document, twin, putBack)
    return isJsonObject(value) ? value : {}
  })
  const places = configLeaves(unfilled)
  const areAllThere = [...referenceFields(wanted).keys()].every((path) => places.has(path))
  return areAllThere && !holdsValue(unfilled, named) ? unfilled : undefined
}

function unfill(value: Json, twin: Json | undefined, putBack: (text: string) => string): Json {
  if (typeof value === 'string') {
    return typeof twin === 'string' && hasMarker(twin) ? twin : putBack(value)
  }
  if (isList(value)) {
    return value.map((each, at) => unfill(each, isList(twin) ? twin[at] : undefined, putBack))
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      unfill(each, isJsonObject(twin) ? twin[key] : undefined, putBack),
    ]),
  )
}

/** Whether every list that refers to secrets has a twin of its length, so that elements can be told by their place. */
function haveSameLists(value: Json | undefined, twin: Json | undefined): boolean {
  if (twin === undefined || !hasMarker(twin)) return true
  if (isList(twin)) {
    const isAlike = isList(value) && value.length === twin.length
    return isAlike && twin.every((each, at) => haveSameLists(value[at], each))
  }
  if (!isJsonObject(twin)) return true
  const other = isJsonObject(value) ? value : {}
  return Object.entries(twin).every(([key, each]) => haveSameLists(other[key], each))
}

function holdsValue(documents: readonly ConfigDocument[], named: NamedSecrets): boolean {
  const text = JSON.stringify(documents)
  return [...named.values()]
    .flatMap(formsOf)
    .some((form) => text.includes(JSON.stringify(form).slice(1, -1)))
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
