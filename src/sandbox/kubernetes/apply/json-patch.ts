import { isJsonObject, type Json } from '../../../lib/json.ts'
import { applyJsonPatch, JsonPatchProblem } from '../../../lib/json-patch.ts'
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
  try {
    return applyJsonPatch(target, patch)
  } catch (error) {
    if (!(error instanceof JsonPatchProblem)) throw error
    const path = textAt(patch[error.index], 'path')
    throw unprocessable(
      error.failedTest
        ? `testing value ${path} failed`
        : `the server rejected our request due to an error in our request: no value at ${path}`,
    )
  }
}

function unprocessable(message: string): ApiError {
  return new ApiError(422, 'Invalid', message, {})
}
