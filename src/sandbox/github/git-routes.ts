import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { type Answer, refuse } from './answer.ts'
import type { GitObjects, TreeFile } from './git-objects.ts'

const objectId = /^[0-9a-f]{40}$/

/** `POST /git/trees`: of a base and files with their text; `sha: null` takes a file away. */
export async function createTree(objects: GitObjects, body: Json): Promise<Answer> {
  if (!isJsonObject(body) || !hasOnly(body, ['base_tree', 'tree'])) return invalid
  const { base_tree: base, tree } = body
  const files = Array.isArray(tree) ? tree.map(readFile) : []
  if (files.length === 0 || !files.every((file) => file !== undefined)) return invalid
  if (base !== undefined && (typeof base !== 'string' || !objectId.test(base))) return invalid
  const sha = await objects.makeTree(base, files)
  return sha === undefined ? refuse(422, 'GitRPC::BadObjectState') : created({ sha })
}

/** `POST /git/commits`: author, committer and signature are GitHub's own where none is given. */
export async function createCommit(objects: GitObjects, body: Json): Promise<Answer> {
  if (!isJsonObject(body) || !hasOnly(body, ['message', 'tree', 'parents'])) return invalid
  const { message, tree, parents = [] } = body
  if (typeof message !== 'string' || typeof tree !== 'string' || !Array.isArray(parents)) {
    return invalid
  }
  const ids = parents.filter((parent) => typeof parent === 'string' && objectId.test(parent))
  if (ids.length !== parents.length || !objectId.test(tree)) return invalid
  const sha = await objects.makeCommit(message, tree, ids.map(String))
  return sha === undefined ? refuse(422, 'Tree SHA does not exist') : created({ sha })
}

const invalid = refuse(422, 'Validation Failed')

function readFile(entry: Json): TreeFile | undefined {
  if (!isJsonObject(entry) || entry['mode'] !== '100644' || entry['type'] !== 'blob')
    return undefined
  const { path, content, sha } = entry
  if (typeof path !== 'string' || !hasOnly(entry, ['path', 'mode', 'type', 'content', 'sha'])) {
    return undefined
  }
  if (sha === null && content === undefined) return { path, content: undefined }
  return typeof content === 'string' && sha === undefined ? { path, content } : undefined
}

function hasOnly(body: JsonObject, fields: readonly string[]): boolean {
  return Object.keys(body).every((field) => fields.includes(field))
}

function created(body: JsonObject): Answer {
  return { status: 201, body }
}
