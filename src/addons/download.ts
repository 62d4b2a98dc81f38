import { readBounded, TooLarge } from '../lib/bounded-bytes.ts'
import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { ErrorCode } from '../lib/error-codes.ts'
import type { Random } from '../lib/random.ts'
import { retry } from '../lib/retry.ts'

export interface DownloadEnvironment {
  readonly clock: Clock
  readonly random: Random
  readonly signal?: AbortSignal | undefined
}

export interface DownloadOptions extends DownloadEnvironment {
  /** Sent with the request; not to another host that it is redirected to, where they are credentials. */
  readonly headers?: Readonly<Record<string, string>>
}

/** How long one attempt may take, in milliseconds. */
const timeoutMs = 120_000

/** Several times the largest that is downloaded, which is helm; an endless answer fills no memory. */
const mostBytes = 128 << 20

/** A server answered, and neither with the file nor with a 404. */
export class NotServed extends ClusterError {
  readonly status: number
  /** What credentials it asks for, where it does: the header `WWW-Authenticate`. */
  readonly challenge: string | undefined

  constructor(code: ErrorCode, url: string, { status, headers }: Response) {
    super(code, `${new URL(url).host} answered ${status} for ${url}`, {
      operation: 'download',
      target: url,
    })
    this.status = status
    this.challenge = headers.get('www-authenticate') ?? undefined
  }
}

/**
 * The bytes at a URL; undefined for a 404. Tried again on broken connections, 429 and 5xx. Fails with
 * the `code` that the caller gives, at once for what is larger than anything of ours. Nothing is verified here: whoever
 * asked knows what it must be.
 */
export async function download(
  url: string,
  code: ErrorCode,
  { clock, random, signal, headers }: DownloadOptions,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await retry(
      () => attempt(url, code, headers, signal),
      { retries: 4, baseMs: 1_000, maxMs: 10_000, retryable },
      signal ? { clock, random, signal } : { clock, random },
    )
  } catch (error) {
    if (error instanceof ClusterError) throw error
    signal?.throwIfAborted()
    const why = error instanceof Error ? String(error.cause ?? error.message) : String(error)
    throw new ClusterError(code, `cannot download ${url}: ${why}`, {
      operation: 'download',
      target: url,
      cause: error,
    })
  }
}

async function attempt(
  url: string,
  code: ErrorCode,
  headers: DownloadOptions['headers'],
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, {
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    headers: { 'user-agent': 'hcloud-talos', ...headers },
  })
  if (response.status === 404) {
    await response.body?.cancel()
    return undefined
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw new NotServed(code, url, response)
  }
  try {
    return await readBounded(response.body, mostBytes)
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    throw new ClusterError(
      code,
      `what ${new URL(url).host} serves for ${url} is not the file that was pinned: ${error.message}`,
      {
        operation: 'download',
        target: url,
        hint: 'Find out what is at this address, or whether a proxy answers in its place.',
        cause: error,
      },
    )
  }
}

function retryable(error: unknown): boolean {
  if (error instanceof NotServed) return error.status === 429 || error.status >= 500
  return !(error instanceof ClusterError)
}
