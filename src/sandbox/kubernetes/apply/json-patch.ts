import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts'
import { ApiError, badRequest } from '../model/api-error.ts'
import { textAt } from '../model/read-json.ts'

const operations = ['add', 'remove', 'replace', 'move', 'copy', 'test']

/** A JSON patch (RFC 6902). Throws 422 where an operation does not fit, as the API server does. */
export function jsonPatch(target: Json, patch: Json): Json {
  if (!Array.isArray(patch)) throw badRequest('a JSON patch is a list of operations')
  for (const operation of patch.filter(isJsonObject)) {
    const op = textAt(operation, 'op')
    if (!operations.includes(op)) throw badRequest(`Unexpected kind: ${op}`)
  }
  const patched = structuredClone(target)
  for (const operation of patch) {
    if (!isJsonObject(operation)) throw unprocessable('an operation is an object')
    applyOperation(patched, operation)
  }
  return patched
}

function applyOperation(document: Json, operation: JsonObject): void {
  const path = textAt(operation, 'path')
  switch (textAt(operation, 'op')) {
    case 'add':
      insert(document, path, givenValue(operation))
      return
    case 'replace':
      replace(document, path, givenValue(operation))
      return
    case 'remove':
      remove(document, path)
      return
    case 'test':
      if (isDeepStrictEqual(read(document, path), givenValue(operation))) return
      throw unprocessable(`testing value ${path} failed`)
    case 'copy':
      insert(document, path, structuredClone(read(document, textAt(operation, 'from'))))
      return
    case 'move': {
      const from = textAt(operation, 'from')
      const value = read(document, from)
      if (path === from) return
      if (path.startsWith(`${from}/`)) throw nothingAt(path)
      remove(document, from)
      insert(document, path, value)
    }
  }
}

function givenValue(operation: JsonObject): Json {
  const { value } = operation
  if (value === undefined) throw unprocessable(`no value for ${textAt(operation, 'path')}`)
  return structuredClone(value)
}

/** Where a pointer (RFC 6901) leads: the object or list around it, and the last step. */
function placeOf(document: Json, path: string): { parent: Json; key: string } {
  const steps = path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const key = steps.pop()
  if (steps.shift() !== '' || key === undefined) throw nothingAt(path)
  const parent = steps.reduce((at, step) => memberOf(at, step, path), document)
  return { parent, key }
}

function memberOf(parent: Json, key: string, path: string): Json {
  const member = Array.isArray(parent)
    ? parent[indexIn(parent, key, path)]
    : isJsonObject(parent) && Object.hasOwn(parent, key)
      ? parent[key]
      : undefined
  if (member === undefined) throw nothingAt(path)
  return member
}

/** The position of an element that is there. */
function indexIn(list: readonly Json[], key: string, path: string, most = list.length - 1): number {
  const index = /^(0|[1-9]\d*)$/.test(key) ? Number(key) : -1
  if (index < 0 || index > most) throw nothingAt(path)
  return index
}

function read(document: Json, path: string): Json {
  const { parent, key } = placeOf(document, path)
  return memberOf(parent, key, path)
}

function insert(document: Json, path: string, value: Json): void {
  const { parent, key } = placeOf(document, path)
  if (Array.isArray(parent)) {
    const index = key === '-' ? parent.length : indexIn(parent, key, path, parent.length)
    parent.splice(index, 0, value)
  } else setMember(parent, key, value, path)
}

/** The API server's library adds a member that is not there. */
function replace(document: Json, path: string, value: Json): void {
  const { parent, key } = placeOf(document, path)
  if (Array.isArray(parent)) parent[indexIn(parent, key, path)] = value
  else setMember(parent, key, value, path)
}

function setMember(parent: Json, key: string, value: Json, path: string): void {
  if (!isJsonObject(parent)) throw nothingAt(path)
  Object.defineProperty(parent, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function remove(document: Json, path: string): void {
  const { parent, key } = placeOf(document, path)
  memberOf(parent, key, path)
  if (Array.isArray(parent)) parent.splice(indexIn(parent, key, path), 1)
  else if (isJsonObject(parent)) Reflect.deleteProperty(parent, key)
}

function nothingAt(path: string): ApiError {
  return unprocessable(
    `the server rejected our request due to an error in our request: no value at ${path}`,
  )
}

function unprocessable(message: string): ApiError {
  return new ApiError(422, 'Invalid', message, {})
}
