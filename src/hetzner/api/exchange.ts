import { readBoundedText, TooLarge } from '../../lib/bounded-bytes.ts'
import type { Json } from '../../lib/json.ts'
import type { FailureFacts, HttpMethod } from './failure-meaning.ts'
import { HetznerApiError } from './hetzner-api-error.ts'

export interface ExchangeRequest {
  readonly method: HttpMethod
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json | undefined
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly operation: string
  readonly target?: string | undefined
  /** Cleans every text that came from outside. */
  readonly scrub: (text: string) => string
}

export interface ExchangeAnswer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON; undefined where the body was empty. */
  readonly body: unknown
}

/** A page of fifty servers has some hundred kilobytes. */
const mostBytes = 32 << 20

/** Connection failures before a request can have left this machine. */
const unsentCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/**
 * One request and its answer. Throws HetznerApiError for anything but a 2xx with JSON or nothing in
 * it; `heard` gets every answer, good or bad. An abort of `signal` throws its reason.
 */
export async function exchange(
  request: ExchangeRequest,
  heard: (status: number, headers: Headers, text: string) => void,
): Promise<ExchangeAnswer> {
  const { status, headers, text } = await send(request)
  heard(status, headers, text)
  const body = text === '' ? undefined : parseJson(text)
  if (status >= 200 && status < 300 && (text === '' || body !== undefined)) {
    return { status, headers, body }
  }
  throw new HetznerApiError(failureFacts(request, status, headers, { text, body }))
}

async function send(
  request: ExchangeRequest,
): Promise<{ status: number; headers: Headers; text: string }> {
  const { signal, timeoutMs, method, url, headers, body } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  let status = 0
  try {
    const response = await fetch(url, {
      method,
      headers,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      // The token must never follow a redirect to somewhere else.
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    status = response.status
    const text = await readBoundedText(response.body, mostBytes)
    return { status, headers: response.headers, text }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof TooLarge) throw tooLarge(request, status, error)
    throw connectionError(request, timeout.aborted ? 'ETIMEDOUT' : codeOfCause(error))
  }
}

/** It was reached, and asked again it would answer the same. */
function tooLarge(
  { method, operation, target }: ExchangeRequest,
  status: number,
  { message }: TooLarge,
): HetznerApiError {
  return new HetznerApiError({
    ...{ source: 'answer', method, status, apiCode: '', final: true, operation, target },
    message: `Hetzner's answer is not used: ${message}`,
  })
}

function connectionError(request: ExchangeRequest, code: string): HetznerApiError {
  const why =
    code === 'ETIMEDOUT'
      ? `no answer within ${request.timeoutMs / 1_000} s`
      : `the connection failed${code === '' ? '' : ` with ${code}`}`
  return new HetznerApiError({
    source: 'connection',
    method: request.method,
    status: 0,
    apiCode: '',
    message: `Hetzner's API at ${new URL(request.url).host} cannot be reached: ${why}`,
    unsent: unsentCodes.includes(code),
    operation: request.operation,
    target: request.target,
  })
}

/** The code deep in what fetch throws. Only the code: an undici message can quote a header. */
function codeOfCause(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at instanceof AggregateError && at.errors.length > 0) return codeOfCause(at.errors[0])
  }
  return ''
}

function failureFacts(
  { method, operation, target, scrub }: ExchangeRequest,
  status: number,
  headers: Headers,
  { text, body }: { text: string; body: unknown },
): FailureFacts {
  const base = { source: 'answer' as const, method, status, operation, target }
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  const error = isJson ? member(body, 'error') : undefined
  const apiCode = stringMember(error, 'code')
  const message = stringMember(error, 'message')
  if (apiCode === '' && message === '') {
    return { ...base, apiCode: '', message: scrub(describeOddAnswer(status, headers, text)) }
  }
  return {
    ...base,
    apiCode: apiCode === '' ? 'unknown_error' : apiCode,
    message: scrub(message === '' ? apiCode : withFieldMessages(message, error)),
    fields: fieldNames(error).map(scrub),
    correlationId: headers.get('x-correlation-id') ?? undefined,
  }
}

function describeOddAnswer(status: number, headers: Headers, text: string): string {
  if (status >= 300 && status < 400)
    return 'Hetzner answered with a redirect, which is not followed'
  const type = headers.get('content-type') ?? 'no content type'
  const start = text
    .replaceAll(/<[^>]*>|\s+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, 120)
  return `Hetzner's answer is not one of its API (${type})${start === '' ? '' : `: ${start}`}`
}

function withFieldMessages(message: string, error: unknown): string {
  const messages = fieldsOf(error).flatMap((field) => {
    const texts = member(field, 'messages')
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : []
  })
  return messages.length === 0 ? message : `${message}: ${messages.join('; ')}`
}

function fieldNames(error: unknown): string[] {
  return fieldsOf(error)
    .map((field) => stringMember(field, 'name'))
    .filter((name) => name !== '')
}

function fieldsOf(error: unknown): unknown[] {
  const fields = member(member(error, 'details'), 'fields')
  return Array.isArray(fields) ? fields : []
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function stringMember(value: unknown, key: string): string {
  const found = member(value, key)
  return typeof found === 'string' ? found : ''
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
