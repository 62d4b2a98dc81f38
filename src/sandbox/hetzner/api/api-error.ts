/** An answer that is a refusal: Hetzner's status, code and text, thrown by handlers. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown

  constructor(status: number, code: string, message: string, details: unknown = null) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** 422 `invalid_input` about some fields of the request. */
export function invalidFields(names: readonly string[], why = 'is invalid'): ApiError {
  const quoted = names.map((name) => `'${name}'`).join(', ')
  return new ApiError(
    422,
    'invalid_input',
    `invalid input in field${names.length > 1 ? 's' : ''} ${quoted}`,
    { fields: names.map((name) => ({ name, messages: [why] })) },
  )
}

/** 422 `invalid_input` with a text of its own and no details, as some checks answer. */
export function invalidInput(message: string): ApiError {
  return new ApiError(422, 'invalid_input', message, {})
}

/** A 422 of one operation, told by its code. */
export function refused(code: string, message: string): ApiError {
  return new ApiError(422, code, message)
}

export function notFound(what: string, id: number | string): ApiError {
  return new ApiError(404, 'not_found', `${what} with ID '${id}' not found`)
}

/** 409: another resource of the project has this already. */
export function alreadyUsed(field: string, message = `${field} is already used`): ApiError {
  return new ApiError(409, 'uniqueness_error', message, { fields: [{ name: field }] })
}

/** 409: another change of the same resource runs. */
export function conflict(message = 'another change of this resource is running'): ApiError {
  return new ApiError(409, 'conflict', message)
}

export function locked(what = 'server'): ApiError {
  return new ApiError(423, 'locked', `cannot perform operation because ${what} is locked`)
}

export function isProtected(message: string): ApiError {
  return new ApiError(423, 'protected', message)
}

export function limitExceeded(what: string, limit: string): ApiError {
  return new ApiError(403, 'resource_limit_exceeded', `${what} limit exceeded`, {
    limits: [{ name: limit }],
  })
}

export function noCapacity(message = 'error during placement'): ApiError {
  return new ApiError(412, 'resource_unavailable', message)
}
