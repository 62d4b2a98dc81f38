import type { z } from 'zod'
import { ApiError } from './api-error.ts'

/** Mistakes that no user's input can cause: the client itself does not know the API. */
const contractIssues = new Set([
  'unrecognized_keys',
  'invalid_type',
  'invalid_union',
  'invalid_value',
])

/**
 * Checks a body against a route's schema. Throws 422 `invalid_input` that names the fields; unknown
 * fields, wrong types and wrong words are also told to `onContractError`.
 */
export function validateBody(
  schema: z.ZodType,
  body: unknown,
  onContractError: (message: string) => void,
): void {
  const result = schema.safeParse(body)
  if (result.success) return
  const fields = result.error.issues.flatMap(issueFields)
  for (const issue of result.error.issues) {
    if (contractIssues.has(issue.code)) {
      onContractError(`${issue.path.join('.') || 'body'}: ${issue.message}`)
    }
  }
  const names = [...new Set(fields.map((field) => field.name))]
  throw new ApiError(
    422,
    'invalid_input',
    `invalid input in field${names.length > 1 ? 's' : ''} ${names.map((name) => `'${name}'`).join(', ')}`,
    { fields },
  )
}

function issueFields(issue: z.core.$ZodIssue): { name: string; messages: string[] }[] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      name: path === '' ? key : `${path}.${key}`,
      messages: ['unknown field'],
    }))
  }
  return [{ name: path === '' ? 'body' : path, messages: [issue.message] }]
}
