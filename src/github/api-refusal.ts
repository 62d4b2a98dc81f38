import { ClusterError } from '../lib/cluster-error.ts'
import { isLimitText } from './bounded-fetch.ts'

/** GraphQL's types of errors that are about rights; a ref that was elsewhere has none of its own. */
const refusedTypes = ['FORBIDDEN', 'INSUFFICIENT_SCOPES', 'NOT_FOUND']
const refusedTexts = /rule violations?|protected branch|not accessible|not authorized/i

/**
 * What a failure of GitHub's API means for who wanted to write: `state-push-refused` where rights or rules
 * stand against it, `state-unreachable` for all else, the limits of its use included.
 */
export function explainRefusal(error: unknown, target: string): ClusterError {
  const status = statusOf(error)
  const message = error instanceof Error ? error.message : String(error)
  const isLimit = status === 429 || isLimitText(message)
  const isRefused =
    (status !== undefined && status >= 400 && status < 500 && !isLimit) ||
    typesOf(error).some((type) => refusedTypes.includes(type)) ||
    refusedTexts.test(message)
  const context = { operation: 'write the state branch by the API of GitHub', target, cause: error }
  if (!isRefused || isLimit) {
    const why = isLimit ? 'limits how often it is asked' : 'does not answer as it should'
    return new ClusterError('state-unreachable', `GitHub's API ${why}: ${message}`, {
      ...context,
      hint: isLimit
        ? 'Run again when the limit is over: it reads what is there and continues from it.'
        : 'Run again: it reads what is there and continues from it.',
    })
  }
  return new ClusterError(
    'state-push-refused',
    `GitHub's API refuses to write the state: ${message}`,
    {
      ...context,
      hint: 'Give the job `permissions: contents: write`, and exempt the state branch and its lock branches from rules.',
    },
  )
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' ? status : undefined
}

function typesOf(error: unknown): string[] {
  if (!(error instanceof Error && 'errors' in error && Array.isArray(error.errors))) return []
  return error.errors.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'type' in one && typeof one.type === 'string'
      ? [one.type]
      : [],
  )
}
