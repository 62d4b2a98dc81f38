import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts'
import { ApiError, badRequest } from '../model/api-error.ts'
import { textAt } from '../model/read-json.ts'

/** A JSON patch (RFC 6902). Throws 422 where an operation does not fit, as the API server does. */
export function jsonPatch(target: Json, patch: Json): Json {
  if (!Array.isArray(patch)) throw badRequest('a JSON patch is a list of operations')
  return patch.filter(isJsonObject).reduce(applyOperation, target)
}

function applyOperation(target: Json, operation: JsonObject): Json {
  const path = parsePointer(textAt(operation, 'path'))
  const value = operation['value'] ?? null
  switch (textAt(operation, 'op')) {
    case 'add':
      return insert(target, path, value)
    case 'remove':
      return remove(target, path)
    case 'replace':
      read(target, path)
      return insert(remove(target, path), path, value)
    case 'copy':
      return insert(target, path, read(target, parsePointer(textAt(operation, 'from'))))
    case 'move': {
      const from = parsePointer(textAt(operation, 'from'))
      return insert(remove(target, from), path, read(target, from))
    }
    case 'test':
      if (isDeepStrictEqual(readOrNull(target, path), value)) return target
      throw unprocessable(`testing value ${textAt(operation, 'path')} failed`)
    default:
      throw badRequest(`Unexpected kind: ${textAt(operation, 'op')}`)
  }
}

function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function child(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)]
  return isJsonObject(value) ? value[step] : undefined
}

function readOrNull(target: Json, path: readonly string[]): Json {
  return path.reduce<Json | undefined>(child, target) ?? null
}

function read(target: Json, path: readonly string[]): Json {
  const found = path.reduce<Json | undefined>(child, target)
  if (found === undefined) throw missing(path)
  return found
}

function insert(target: Json, path: readonly string[], value: Json): Json {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(target)) {
    const items: Json[] = [...target]
    if (rest.length > 0) items[Number(step)] = insert(read(target, [step]), rest, value)
    else items.splice(step === '-' ? items.length : Number(step), 0, value)
    return items
  }
  if (!isJsonObject(target)) throw missing(path)
  return {
    ...target,
    [step]: rest.length > 0 ? insert(read(target, [step]), rest, value) : value,
  }
}

function remove(target: Json, path: readonly string[]): Json {
  const [step, ...rest] = path
  if (step === undefined) throw missing(path)
  const below = read(target, [step])
  if (Array.isArray(target)) {
    return target.flatMap((item, index) => {
      if (index !== Number(step)) return [item]
      return rest.length > 0 ? [remove(below, rest)] : []
    })
  }
  if (!isJsonObject(target)) throw missing(path)
  const { [step]: _, ...kept } = target
  return rest.length > 0 ? { ...target, [step]: remove(below, rest) } : kept
}

function missing(path: readonly string[]): ApiError {
  return unprocessable(
    `the server rejected our request due to an error in our request: no value at /${path.join('/')}`,
  )
}

function unprocessable(message: string): ApiError {
  return new ApiError(422, 'Invalid', message, {})
}
