import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { isJsonObject, type Json } from '../lib/json.ts'
import { listAt, numberAt, textAt } from '../lib/kubernetes-object.ts'

/** One cause of a refusal, as the API's Status object lists them. */
export interface RefusalCause {
  readonly reason: string
  readonly field: string
  readonly message: string
}

/** The API answered with a refusal. `status` is HTTP's, `reason` the API's own word, such as `Conflict`. */
export class ApiRefusal extends ClusterError {
  readonly status: number
  readonly reason: string
  readonly causes: readonly RefusalCause[]
  /** How long the server asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    request: { readonly operation: string; readonly target: string },
    answer: { readonly status: number; readonly body: Json | undefined; retryAfter?: string },
  ) {
    const { status, body } = answer
    const reason = textAt(body, 'reason') ?? `HTTP ${status}`
    const message = textAt(body, 'message') ?? reason
    super('kubernetes-refused', `Kubernetes refused to ${request.operation}: ${message}`, {
      ...request,
      ...hintFor(status),
    })
    this.status = status
    this.reason = reason
    this.causes = listAt(body, 'details', 'causes')
      .filter(isJsonObject)
      .map((cause) => ({
        reason: textAt(cause, 'reason') ?? '',
        field: textAt(cause, 'field') ?? '',
        message: textAt(cause, 'message') ?? '',
      }))
    const seconds = Number(answer.retryAfter ?? numberAt(body, 'details', 'retryAfterSeconds'))
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined
  }
}

export function isApiRefusal(error: unknown, ...statuses: number[]): error is ApiRefusal {
  return error instanceof ApiRefusal && (statuses.length === 0 || statuses.includes(error.status))
}

/** Whether a failure says nothing but that the API is away, or too busy, for the moment. */
export function isApiAway(error: unknown): boolean {
  return (
    isApiRefusal(error, 429, 500, 502, 503, 504) || isClusterError(error, 'kubernetes-unreachable')
  )
}

function hintFor(status: number): { hint?: string } {
  if (status === 401) {
    return {
      hint: 'Fetch a new kubeconfig with `hcloud-talos kubeconfig`: the client certificate is not valid (any more).',
    }
  }
  if (status === 403)
    return { hint: 'Use credentials that may do this: those of this kubeconfig may not.' }
  return {}
}
