import { applyPatch, type Operation, Pointer } from 'rfc6902'
import { isJsonObject, type Json } from './json.ts'

/** Why an operation of a JSON patch cannot be done. Says where, quotes no value. */
export class JsonPatchProblem extends Error {
  override readonly name = 'JsonPatchProblem'
  /** Which operation, counted from 0. */
  readonly index: number
  /** Whether it was a test that failed: the patch is right, and not for this document. */
  readonly failedTest: boolean

  constructor(message: string, index: number, failedTest = false) {
    super(message)
    this.index = index
    this.failedTest = failedTest
  }
}

/**
 * What a JSON patch (RFC 6902) makes of a document, all of it or nothing. As with Go's library, which Talos and
 * Kubernetes use, `replace` adds a member that is not there. The document itself cannot be added, replaced
 * or removed. Throws JsonPatchProblem for what is no operation, leads nowhere, or tests
 * without success.
 */
export function applyJsonPatch(document: Json, operations: readonly Json[]): Json {
  // A list that stands in two places of the document becomes two: changing one must not change the other.
  const patched: Json = JSON.parse(JSON.stringify(document))
  for (const [index, operation] of operations.entries()) applyOperation(patched, operation, index)
  return patched
}

function applyOperation(document: Json, written: Json, index: number): void {
  const operation = readOperation(written)
  if (operation === undefined) {
    throw new JsonPatchProblem(
      'an operation has op (add, remove, replace, move, copy or test), path, and value or from',
      index,
    )
  }
  const problem = failureOf(document, operation)
  if (problem === undefined) return
  const failedTest = problem.name === 'TestError'
  const what = failedTest ? 'another value is' : 'nothing is'
  const where = 'from' in operation ? `${operation.from} or ${operation.path}` : operation.path
  throw new JsonPatchProblem(`${what} at ${where || 'the top'}`, index, failedTest)
}

function failureOf(document: Json, operation: Operation): Error | undefined {
  try {
    if ('from' in operation) checkPositions(document, operation.from)
    checkPositions(document, operation.path)
    return applyPatch(document, [checkReplacement(document, operation)])[0] ?? undefined
  } catch (error) {
    // A path that does not begin with a slash.
    if (error instanceof Error) return error
    throw error
  }
}

/** A member that is not there is added. rfc6902 5.4.0 takes `replace` at `-` of a list, and does nothing. */
function checkReplacement(document: Json, operation: Operation): Operation {
  if (operation.op !== 'replace') return operation
  const { parent, value } = Pointer.fromJSON(operation.path).evaluate(document)
  if (value !== undefined) return operation
  if (isJsonObject(parent)) return { ...operation, op: 'add' }
  throw new Error('there is no such element')
}

/** Elements of a list are named by their position, or by `-` after the last. rfc6902 5.4.0 takes any text for one. */
function checkPositions(document: Json, path: string): void {
  let at: Json | undefined = document
  for (const step of Pointer.fromJSON(path).tokens.slice(1)) {
    if (Array.isArray(at)) {
      if (!/^(0|[1-9][0-9]*|-)$/.test(step)) throw new Error('there is no such element')
      at = at[Number(step)]
    } else at = isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined
  }
}

function readOperation(written: Json): Operation | undefined {
  if (!isJsonObject(written)) return undefined
  const { op, path, from, value } = written
  if (typeof path !== 'string') return undefined
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return value === undefined ? undefined : { op, path, value }
    case 'remove':
      return { op, path }
    case 'move':
    case 'copy':
      return typeof from === 'string' ? { op, path, from } : undefined
    default:
      return undefined
  }
}
