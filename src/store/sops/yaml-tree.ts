import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseAllDocuments,
} from 'yaml'
import type { Json, JsonObject } from '../../lib/json.ts'
import { isJsonObject } from '../../lib/json.ts'
import type { Leaf, LeafPath } from './leaf.ts'

/** A parsed document. Its nodes keep the order of the text, which the MAC depends on and objects lose. */
export type YamlTree = ParsedNode

/** The documents of a text, empty ones left out; undefined unless all are mappings without mistakes. */
export function parseYamlTrees(text: string): YamlTree[] | undefined {
  const documents = parseAllDocuments(text, { uniqueKeys: true, logLevel: 'silent' })
  if (!Array.isArray(documents)) return []
  if (documents.some(({ errors }) => errors.length > 0)) return undefined
  const roots = documents.flatMap(({ contents }) => (contents === null ? [] : [contents]))
  return roots.every((root) => isMap(root)) ? roots : undefined
}

/** A tree as plain values with each leaf replaced by what `visit` makes of it, in the text's order. */
export function mapTree(tree: YamlTree, visit: (leaf: Leaf, path: LeafPath) => Leaf): JsonObject {
  const value = mapNode(tree, visit, [])
  if (!isJsonObject(value)) throw new Error('a document is a mapping')
  return value
}

function mapNode(
  node: Node | null,
  visit: (leaf: Leaf, path: LeafPath) => Leaf,
  path: LeafPath,
): Json {
  if (isMap(node)) {
    return Object.fromEntries(
      node.items.map(({ key, value }): [string, Json] => {
        const name = isScalar(key) ? String(scalarValue(key.value)) : ''
        return [name, mapNode(toNode(value), visit, [...path, name])]
      }),
    )
  }
  if (isSeq(node)) {
    const items = node.items.map(toNode).filter((item) => !isSealedComment(item))
    return items.map((item) => mapNode(item, visit, path))
  }
  if (isAlias(node)) throw new Error('a SOPS document has no aliases')
  const value = isScalar(node) ? scalarValue(node.value) : null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return visit(value, path)
  }
  return null
}

/** Go's writer marks the text `<<` as a merge key, wherever it stands. */
function scalarValue(value: unknown): unknown {
  return typeof value === 'symbol' ? (value.description ?? '') : value
}

/** SOPS turns a comment in a list into an item of the list. */
function isSealedComment(node: Node | null): boolean {
  const value: unknown = isScalar(node) ? node.value : undefined
  return typeof value === 'string' && /^ENC\[AES256_GCM,.*,type:comment\]$/.test(value)
}

function toNode(value: unknown): Node | null {
  return isMap(value) || isSeq(value) || isScalar(value) || isAlias(value) ? value : null
}
