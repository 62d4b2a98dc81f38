import { createHash } from 'node:crypto'

/**
 * Remembers which key a host showed first and refuses any other: trust on first use, for a host that
 * was born a minute ago and whose key nobody can tell. One per host.
 */
export class HostKeyPin {
  #fingerprint: string | undefined
  #refused: string | undefined

  /** `SHA256:…` of the pinned key, as ssh-keygen prints it; undefined before the first connection. */
  get fingerprint(): string | undefined {
    return this.#fingerprint
  }

  /** The fingerprint that was refused last, if any. */
  get refused(): string | undefined {
    return this.#refused
  }

  /** Whether the host may be spoken to; pins the key if it is the first. */
  accept(key: Buffer): boolean {
    const fingerprint = hostKeyFingerprint(key)
    this.#fingerprint ??= fingerprint
    if (this.#fingerprint === fingerprint) return true
    this.#refused = fingerprint
    return false
  }
}

/** `SHA256:` and the unpadded base64 of the key's digest. */
export function hostKeyFingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}
