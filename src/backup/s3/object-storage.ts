import { readBoundedText, TooLarge } from '../../lib/bounded-bytes.ts'
import type { Clock } from '../../lib/clock.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { Random } from '../../lib/random.ts'
import { retry } from '../../lib/retry.ts'
import { type StorageCredentials, signRequest, uriEncode } from './sign-request.ts'

/** An object storage with an S3 API, and how to open it. */
export interface StorageSettings extends StorageCredentials {
  /** `https://fsn1.your-objectstorage.com`. */
  readonly endpoint: string
}

export interface ObjectPlace {
  readonly bucket: string
  readonly key: string
}

export interface StorageRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly query?: Readonly<Record<string, string>>
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface StorageEnvironment {
  readonly clock: Clock
  /** The wall's time, by which requests are dated. */
  readonly calendar: Clock
  readonly random: Random
  readonly signal: AbortSignal
}

/** An answer of the storage that is a refusal, in its own words. */
class StorageRefusal extends Error {
  override readonly name = 'StorageRefusal'
  readonly status: number
  /** `NoSuchKey`, `SignatureDoesNotMatch`, …; empty where it gave none. */
  readonly code: string

  constructor(status: number, text: string) {
    const [, code = ''] = /<Code>([^<]*)<\/Code>/.exec(text) ?? []
    const [, words = ''] = /<Message>([^<]*)<\/Message>/.exec(text) ?? []
    super(`${status} ${code} ${words}`.trim().slice(0, 300))
    this.status = status
    this.code = code
  }
}

/** How long one request may take, in milliseconds: a part of some megabytes on a slow line. */
const requestMs = 5 * 60_000
/** A page of a list has a thousand keys of at most a kilobyte, and some words around each. */
const mostBytes = 16 << 20
const passing = [408, 429, 500, 502, 503, 504]

/**
 * Asks an object storage about one object or a bucket, again where the line or the server fails for a moment: every
 * request here may be made twice. Throws `snapshot-missing` for what is not there, else
 * `object-storage-failed`.
 */
export class ObjectStorage {
  readonly #settings: StorageSettings
  readonly #environment: StorageEnvironment

  constructor(settings: StorageSettings, environment: StorageEnvironment) {
    this.#settings = settings
    this.#environment = environment
  }

  get endpoint(): string {
    return this.#settings.endpoint
  }

  /** Throws the signal's reason once the run was asked to stop. */
  throwIfAborted(): void {
    this.#environment.signal.throwIfAborted()
  }

  /** The answer as soon as it begins: what comes of its body, or fails to, is the caller's to read. */
  send(place: ObjectPlace, request: StorageRequest): Promise<Response> {
    return this.ask(place, request, async (answer) => answer)
  }

  /** The whole answer as text: what the storage says, which is no object. */
  text(place: ObjectPlace, request: StorageRequest): Promise<string> {
    return this.ask(place, request, answerText)
  }

  /** What `read` makes of the answer. One that breaks off is asked for again, like one that never came. */
  async ask<Read>(
    place: ObjectPlace,
    request: StorageRequest,
    read: (answer: Response) => Promise<Read>,
  ): Promise<Read> {
    const policy = { retries: 5, baseMs: 500, maxMs: 20_000, retryable: isPassing }
    const once = async () => read(await this.#sendOnce(place, request))
    try {
      return await retry(once, policy, this.#environment)
    } catch (error) {
      this.#environment.signal.throwIfAborted()
      throw storageFailure(error, place, this.#settings.endpoint)
    }
  }

  async #sendOnce(
    { bucket, key }: ObjectPlace,
    { method, query = {}, headers = {}, body = new Uint8Array() }: StorageRequest,
  ): Promise<Response> {
    const { calendar, signal } = this.#environment
    // Without a key it is the bucket that is asked about.
    const steps = key === '' ? [bucket] : [bucket, ...key.split('/')]
    const path = steps.map(uriEncode).join('/')
    const url = new URL(`/${path}`, this.#settings.endpoint)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signed = signRequest({ method, url, headers, body }, this.#settings, calendar.now())
    const response = await fetch(url, {
      method,
      headers: signed,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
      ...(body.length > 0 && { body: Buffer.from(body) }),
    })
    if (response.ok) return response
    throw new StorageRefusal(response.status, await answerText(response))
  }
}

/** The storage answered with what was not asked for: it would do so again. */
export class StrangeAnswer extends Error {
  override readonly name = 'StrangeAnswer'
}

function answerText(response: Response): Promise<string> {
  return readBoundedText(response.body, mostBytes)
}

/** The code with which the storage refused, where that is why this failed. */
export function refusalCode(error: unknown): string | undefined {
  const cause = error instanceof ClusterError ? error.cause : undefined
  return cause instanceof StorageRefusal ? cause.code : undefined
}

function isPassing(error: unknown): boolean {
  if (error instanceof StorageRefusal) return passing.includes(error.status)
  return ![ClusterError, StrangeAnswer, TooLarge].some((lasting) => error instanceof lasting)
}

/** What a failure means to whoever asked about this object. */
export function storageFailure(
  error: unknown,
  { bucket, key }: ObjectPlace,
  endpoint: string,
): ClusterError {
  const target = `s3://${bucket}/${key}`
  const cause = error
  if (error instanceof StorageRefusal && error.status === 404) {
    const what = error.code === 'NoSuchBucket' ? 'there is no such bucket' : 'it is not there'
    return new ClusterError('snapshot-missing', `the object storage reports that ${what}`, {
      target,
      hint: 'Check the bucket, the key, and AWS_ENDPOINT_URL_S3.',
      cause,
    })
  }
  const reason = error instanceof Error ? describe(error) : String(error)
  return new ClusterError('object-storage-failed', `the object storage failed: ${reason}`, {
    operation: `ask ${endpoint} about`,
    target,
    hint: 'Check AWS_ENDPOINT_URL_S3, AWS_REGION and that the keys may read and write this bucket.',
    cause,
  })
}

/** What fetch says is mostly that it failed; why is in its cause. */
function describe(error: Error): string {
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}
