/** Types of errors that the next try would get, too. Limits and failures of GitHub's own have others, or none. */
const refusals: ReadonlySet<unknown> = new Set(['FORBIDDEN', 'NOT_FOUND', 'INSUFFICIENT_SCOPES'])

/** Codes by which a server says that it does not know a field, a type or a value of an enumeration. */
const unknowns: ReadonlySet<unknown> = new Set([
  'undefinedField',
  'undefinedType',
  'argumentLiteralsIncompatible',
])

/**
 * Whether GitHub will not answer this question, however often it is asked. GraphQL says so with 200 and errors, and
 * tells of its limits in the same way; a server without it answers 404.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name !== 'GraphqlResponseError') return 'status' in error && error.status === 404
  const errors: readonly unknown[] =
    'errors' in error && Array.isArray(error.errors) ? error.errors : []
  return errors.length > 0 && errors.every(isRefused)
}

function isRefused(error: unknown): boolean {
  const type = memberOf(error, 'type')
  if (type !== undefined) return refusals.has(type)
  const code = memberOf(memberOf(error, 'extensions'), 'code')
  if (code !== undefined) return unknowns.has(code)
  return /^Field '[^']*' doesn't exist on type /.test(String(memberOf(error, 'message')))
}

function memberOf(value: unknown, name: string): unknown {
  const members: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? { ...value } : {}
  return members[name]
}
