import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { Json } from '../lib/json.ts'
import { isApiRefusal } from './api-refusal.ts'
import { type ApiRequest, type ApiTransport, ApiUnreachable } from './api-transport.ts'

/**
 * One cluster's API by several API servers. It stays with one as long as that one answers, and goes on to the next
 * when it cannot be reached or has failed: within a request where that is safe (nothing was sent yet, or sending it
 * twice comes to the same), for the next request always.
 */
export class FailoverTransport implements ApiTransport {
  readonly #dial: (address: string) => Promise<ApiTransport>
  readonly #dialled = new Map<string, Promise<ApiTransport>>()
  #addresses: readonly string[] = []
  #preferred = 0

  constructor(dial: (address: string) => Promise<ApiTransport>) {
    this.#dial = dial
  }

  /** Where the API may be from now on, in order of preference; the one in use is kept where it is among them. */
  use(addresses: readonly string[]): void {
    const current = this.#addresses[this.#preferred]
    this.#addresses = addresses
    this.#preferred = Math.max(0, addresses.indexOf(current ?? ''))
  }

  async send(request: ApiRequest, signal?: AbortSignal): Promise<Json> {
    const tries = this.#addresses.length
    for (let left = tries - 1; ; left--) {
      const address = this.#addresses[this.#preferred]
      if (address === undefined) throw noAddress(request)
      try {
        const transport = await this.#transportTo(address)
        return await transport.send(request, signal)
      } catch (error) {
        if (!isAway(error)) throw error
        this.#leave(address)
        if (left <= 0 || !maySendAgain(request, error)) throw error
      }
    }
  }

  close(): void {
    for (const transport of this.#dialled.values()) {
      void transport.then(
        (open) => open.close(),
        () => undefined,
      )
    }
  }

  #transportTo(address: string): Promise<ApiTransport> {
    const known = this.#dialled.get(address)
    if (known !== undefined) return known
    const made = this.#dial(address)
    this.#dialled.set(address, made)
    made.catch(() => this.#dialled.delete(address))
    return made
  }

  /** Another request may have left it already. */
  #leave(address: string): void {
    if (this.#addresses[this.#preferred] !== address) return
    this.#preferred = (this.#preferred + 1) % this.#addresses.length
  }
}

/** A server that is busy (429) is as good as any other. */
function isAway(error: unknown): boolean {
  return isClusterError(error, 'kubernetes-unreachable') || isApiRefusal(error, 500, 502, 503, 504)
}

/** What was answered, if only with a failure, is for the caller to judge. */
function maySendAgain({ method }: ApiRequest, error: unknown): boolean {
  return error instanceof ApiUnreachable && (error.isUnsent || method !== 'POST')
}

function noAddress({ operation, target }: ApiRequest): ClusterError {
  return new ClusterError('kubernetes-unreachable', 'no control plane has an address to dial', {
    operation,
    target,
    hint: 'Check that the control planes have public addresses, and that their servers exist.',
  })
}
