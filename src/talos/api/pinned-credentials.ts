import { TLSSocket } from 'node:tls'
import { ChannelCredentials } from '@grpc/grpc-js'
import { spkiFingerprint } from './spki-fingerprint.ts'

/** The other side did not show the key that it was known by. */
export class FingerprintMismatch extends Error {
  override readonly name = 'FingerprintMismatch'
}

/**
 * Credentials for a server that nothing vouches for but its key: whatever certificate it shows, its
 * public key must be the one of this fingerprint, on every connection that is made. Not a byte is sent
 * before that is clear. The certificate's dates do not matter: a node that has just booted has no time yet.
 *
 * grpc-js calls no check of ours where a certificate cannot be verified; so its own connector makes the
 * connection, and this looks at it before handing it over.
 */
export class PinnedCredentials extends ChannelCredentials {
  readonly #unverified = ChannelCredentials.createSsl(null, null, null, {
    rejectUnauthorized: false,
  })
  readonly #fingerprint: string

  /** Base64 SHA-256 of the SubjectPublicKeyInfo. */
  constructor(fingerprint: string) {
    super()
    this.#fingerprint = fingerprint
  }

  override _isSecure(): boolean {
    return true
  }

  override _equals(other: ChannelCredentials): boolean {
    return other === this
  }

  override _createSecureConnector(
    ...args: Parameters<ChannelCredentials['_createSecureConnector']>
  ): ReturnType<ChannelCredentials['_createSecureConnector']> {
    const connector = this.#unverified._createSecureConnector(...args)
    const fingerprint = this.#fingerprint
    return {
      async connect(plain) {
        const connected = await connector.connect(plain)
        const { socket } = connected
        const shown = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined
        if (shown !== undefined && spkiFingerprint(shown) === fingerprint) return connected
        socket.destroy()
        throw new FingerprintMismatch('it shows another key than before')
      },
      waitForReady: () => connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    }
  }
}
