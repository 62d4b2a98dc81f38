import { jsonEquals } from '../../../lib/canonical-json.ts'
import { isJsonObject, type Json } from '../../../lib/json.ts'
import { type ConfigDocument, documentIdentity } from '../config-document.ts'
import { parseConfigDocuments } from '../config-documents.ts'
import { isReplaced, keyedList } from '../merge-rules.ts'
import type { ConfigPath, ConfigPlace } from './config-problem.ts'
import { placeInJsonPatch } from './place-in-json-patch.ts'
import { isList } from './read-config.ts'

/**
 * Where in a patch something of the config stands that came out of it: the deepest part of a place that the
 * patch has itself, of the first of the places that it has whole, or else of the one that it has deepest. An
 * element of a list is found again by how the merge has put it there. All of the patch where it has none.
 */
export function placeInPatch(
  text: string,
  places: readonly ConfigPlace[],
  merged: readonly ConfigDocument[],
): ConfigPlace {
  const written = parseConfigDocuments(text)
  const [first] = written
  if (isList(first)) return { kind: '', name: '', path: placeInJsonPatch(first, places) }
  const found = places.flatMap((place) => {
    const at = findPlace(written, place, merged)
    return at === undefined ? [] : [{ ...place, path: at, missing: place.path.length - at.length }]
  })
  const whole = found.find(({ missing }) => missing === 0)
  const deepest = found.toSorted((a, b) => b.path.length - a.path.length)[0]
  const { kind, name, path } = whole ?? deepest ?? { kind: '', name: '', path: [] }
  return { kind, name, path }
}

function findPlace(
  written: readonly Json[],
  { kind, name, path }: ConfigPlace,
  merged: readonly ConfigDocument[],
): ConfigPath | undefined {
  const isMeant = (document: ConfigDocument) => {
    const identity = documentIdentity(document)
    return identity.kind === kind && identity.name === name
  }
  const inPatch = written.filter(isJsonObject).find(isMeant)
  return inPatch && descend(kind, path, inPatch, merged.find(isMeant))
}

/** As much of the path as the patch has, with indexes of its own lists. */
function descend(
  kind: string,
  path: ConfigPath,
  inPatch: ConfigDocument,
  inConfig: ConfigDocument | undefined,
): ConfigPath {
  const found: (string | number)[] = []
  const pattern: string[] = []
  let ours: Json | undefined = inPatch
  let theirs: Json | undefined = inConfig
  for (const step of path) {
    const own: string | number | undefined =
      typeof step === 'number' ? ownIndex(kind, pattern, step, ours, theirs) : step
    ours = own === undefined ? undefined : childOf(ours, own)
    if (own === undefined || ours === undefined) break
    theirs = childOf(theirs, step)
    found.push(own)
    pattern.push(typeof step === 'number' ? '[]' : step)
  }
  return found
}

function childOf(value: Json | undefined, step: string | number): Json | undefined {
  if (typeof step === 'number') return isList(value) ? value[step] : undefined
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/** The index in the patch's list of what became an element of the config's. */
function ownIndex(
  kind: string,
  pattern: readonly string[],
  index: number,
  ours: Json | undefined,
  theirs: Json | undefined,
): number | undefined {
  if (!isList(ours) || !isList(theirs)) return undefined
  if (isReplaced(kind, pattern)) return index
  const rule = keyedList(kind, pattern)
  const element = theirs[index]
  const own = [...ours.entries()].filter(([, each]) => !isDeletion(each))
  if (rule === undefined) return own[index - (theirs.length - own.length)]?.[0]
  const sameKey = ([, each]: [number, Json]) =>
    rule.keys.some((key) => {
      const [left, right] = [childOf(each, key), childOf(element, key)]
      return left !== undefined && right !== undefined && jsonEquals(left, right)
    })
  return own.find(sameKey)?.[0]
}

function isDeletion(element: Json): boolean {
  return isJsonObject(element) && element['$patch'] === 'delete'
}
