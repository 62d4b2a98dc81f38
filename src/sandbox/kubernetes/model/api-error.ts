import type { JsonObject } from '../../../lib/json.ts'
import { type ResourceType, resourceId } from './resource-type.ts'

export interface StatusCause extends JsonObject {
  readonly reason?: string
  readonly message: string
  readonly field?: string
}

export interface StatusDetails extends JsonObject {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** A failure that the API answers with, as a Status object. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number
  readonly reason: string
  readonly details: StatusDetails | undefined

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message)
    this.code = code
    this.reason = reason
    this.details = details
  }

  get status(): JsonObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    }
  }
}

/** How Kubernetes names a resource inside messages and details. */
function details(type: ResourceType, name: string): StatusDetails {
  return { name, ...(type.group === '' ? {} : { group: type.group }), kind: type.plural }
}

export function notFound(type: ResourceType, name: string): ApiError {
  const message = `${resourceId(type)} "${name}" not found`
  return new ApiError(404, 'NotFound', message, details(type, name))
}

export function alreadyExists(type: ResourceType, name: string): ApiError {
  const message = `${resourceId(type)} "${name}" already exists`
  return new ApiError(409, 'AlreadyExists', message, details(type, name))
}

export function modified(type: ResourceType, name: string): ApiError {
  const why =
    'the object has been modified; please apply your changes to the latest version and try again'
  return conflict(type, name, why)
}

export function conflict(type: ResourceType, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${resourceId(type)} "${name}": ${why}`
  return new ApiError(409, 'Conflict', message, details(type, name))
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message)
}

export function forbidden(
  type: ResourceType,
  name: string,
  why: string,
  causes?: readonly StatusCause[],
): ApiError {
  const message = `${resourceId(type)} "${name}" is forbidden: ${why}`
  return new ApiError(403, 'Forbidden', message, {
    ...details(type, name),
    ...(causes === undefined ? {} : { causes }),
  })
}

export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource'
  return new ApiError(405, 'MethodNotAllowed', message, {})
}

export function unknownPath(): ApiError {
  const message = 'the server could not find the requested resource'
  return new ApiError(404, 'NotFound', message, {})
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
  return new ApiError(415, 'UnsupportedMediaType', message)
}

/** A field that a validation refuses; `invalid` makes the one answer of all of them. */
export interface FieldProblem {
  readonly field: string
  readonly reason: 'FieldValueInvalid' | 'FieldValueRequired' | 'FieldValueNotSupported'
  readonly message: string
}

export function invalid(
  type: ResourceType,
  name: string,
  problems: readonly FieldProblem[],
): ApiError {
  const texts = problems.map(({ field, message }) => `${field}: ${message}`)
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const causes = problems.map(({ field, reason, message }) => ({ reason, message, field }))
  return new ApiError(
    422,
    'Invalid',
    `${type.kind}${groupSuffix(type)} "${name}" is invalid: ${list}`,
    {
      name,
      ...(type.group === '' ? {} : { group: type.group }),
      kind: type.kind,
      causes,
    },
  )
}

function groupSuffix(type: ResourceType): string {
  return type.group === '' ? '' : `.${type.group}`
}
