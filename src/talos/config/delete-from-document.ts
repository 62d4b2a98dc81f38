import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { ConfigDocument } from './config-document.ts'
import { isFreeForm, isFreeMap, type Path } from './merge-rules.ts'
import type { Deletion } from './parse-patch.ts'
import { PatchProblem } from './patch-problem.ts'

/**
 * The document without what the deletion names. A known field that is not set counts as deleted; a
 * key of a free map, an element, or a parent that is not there is a PatchProblem, as with talosctl.
 */
export function deleteFromDocument(
  document: ConfigDocument,
  kind: string,
  deletion: Deletion,
): ConfigDocument {
  return deleteFrom(document, kind, deletion, 0)
}

function deleteFrom(
  parent: JsonObject,
  kind: string,
  deletion: Deletion,
  depth: number,
): JsonObject {
  const { path, element } = deletion
  const key = path[depth]
  if (key === undefined) throw new Error('a deletion without a path reached inside of a document')
  const child = parent[key]
  if (depth < path.length - 1) {
    if (!isJsonObject(child)) throw missing(kind, path)
    return { ...parent, [key]: deleteFrom(child, kind, deletion, depth + 1) }
  }
  if (element !== undefined) {
    return { ...parent, [key]: deleteElement(child, kind, path, element) }
  }
  if (child === undefined && isFreeMap(kind, path.slice(0, -1))) throw missing(kind, path)
  const { [key]: _, ...rest } = parent
  return rest
}

function deleteElement(
  list: Json | undefined,
  kind: string,
  path: Path,
  { key, value }: { key: string; value: string },
): Json {
  if (!Array.isArray(list) || isFreeForm(kind, path)) throw missing(kind, path)
  const index = list.findIndex((each) => isJsonObject(each) && String(each[key]) === value)
  if (index === -1) throw missing(kind, path)
  return list.toSpliced(index, 1)
}

function missing(kind: string, path: Path): PatchProblem {
  return new PatchProblem(`nothing to delete: ${path.join('.')} is not there`, { at: path, kind })
}
