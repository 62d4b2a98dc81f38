import type { Socket } from 'node:net'
import { ChannelCredentials } from '@grpc/grpc-js'

/**
 * Credentials that own the connections which are being made with them. grpc-js lets go of a channel that is closed
 * in the midst of a handshake, and leaves the socket open: with a server that never answers it, or answers too late,
 * it would keep the process alive for good.
 */
export class OwnedCredentials extends ChannelCredentials {
  readonly #inner: ChannelCredentials
  readonly #pending = new Set<Socket>()
  #isClosed = false

  constructor(inner: ChannelCredentials) {
    super()
    this.#inner = inner
  }

  /** Ends what is being connected, and all that would be from now on. */
  close(): void {
    this.#isClosed = true
    for (const socket of this.#pending) socket.destroy()
    this.#pending.clear()
  }

  override _isSecure(): boolean {
    return this.#inner._isSecure()
  }

  override _equals(other: ChannelCredentials): boolean {
    return other === this
  }

  override _createSecureConnector(
    ...args: Parameters<ChannelCredentials['_createSecureConnector']>
  ): ReturnType<ChannelCredentials['_createSecureConnector']> {
    const connector = this.#inner._createSecureConnector(...args)
    return {
      connect: async (plain) => {
        this.#pending.add(plain)
        plain.once('close', () => this.#pending.delete(plain))
        if (this.#isClosed) throw this.#ended(plain)
        const connected = await connector.connect(plain)
        this.#pending.delete(plain)
        if (!this.#isClosed) return connected
        connected.socket.destroy()
        throw this.#ended(plain)
      },
      waitForReady: () => connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    }
  }

  #ended(plain: Socket): Error {
    plain.destroy()
    return new Error('the client was closed')
  }
}
