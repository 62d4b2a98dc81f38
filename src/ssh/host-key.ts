import { createHash } from 'node:crypto'
import type { ServerHostKeyAlgorithm } from 'ssh2'
import { ClusterError } from '../lib/cluster-error.ts'

/** Types of host keys, each with the signatures that are accepted of it: SHA-1 and DSA are not. */
const signatures: Readonly<Record<string, readonly ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
}

interface HostKey {
  readonly type: string
  /** `SHA256:…` as ssh-keygen prints it. */
  readonly fingerprint: string
}

/**
 * What a host has to prove itself by. A pinned key also pins its type: the host is asked for no other, so that
 * somebody in between cannot make both sides use a key that nobody compared. One per host.
 */
export class HostKeyPin {
  #pinned: HostKey | undefined
  #text: string | undefined

  private constructor(pinned?: HostKey, text?: string) {
    this.#pinned = pinned
    this.#text = text
  }

  /**
   * The key as a file pins it: `ssh-ed25519 AAAA…` as ssh-keyscan prints it, or `ssh-ed25519 SHA256:…`. Throws
   * `ssh-host-key` where it is neither.
   */
  static of(text: string): HostKeyPin {
    return new HostKeyPin(parsePinned(text), text.trim())
  }

  /**
   * Accepts the first key that the host shows, and from then on no other. For a host that was created a minute ago
   * and whose key nobody can know, or where the user asked for it; `text` is then what to write down.
   */
  static firstContact(): HostKeyPin {
    return new HostKeyPin()
  }

  /** The pinned key, type first; undefined before the first contact. */
  get text(): string | undefined {
    return this.#text
  }

  get type(): string | undefined {
    return this.#pinned?.type
  }

  get fingerprint(): string | undefined {
    return this.#pinned?.fingerprint
  }

  /** What the host may sign with. */
  get algorithms(): ServerHostKeyAlgorithm[] {
    const types = this.#pinned === undefined ? Object.keys(signatures) : [this.#pinned.type]
    return types.flatMap((type) => signatures[type] ?? [])
  }

  /** Whether this is the pinned key; any is where there is none yet. */
  accepts(key: Buffer): boolean {
    return (
      this.#pinned === undefined ||
      (this.#pinned.type === typeOf(key) && this.#pinned.fingerprint === fingerprintOf(key))
    )
  }

  /** Pins the key where there is none yet. Only for a key that the host has proven to hold: anybody can show it. */
  record(key: Buffer): void {
    if (this.#pinned !== undefined) return
    this.#pinned = { type: typeOf(key), fingerprint: fingerprintOf(key) }
    this.#text = `${this.#pinned.type} ${key.toString('base64')}`
  }
}

/** What one attempt to connect saw of a host's key. */
export class HostKeyCheck {
  readonly #pin: HostKeyPin
  #shown: Buffer | undefined
  #rejected: string | undefined

  constructor(pin: HostKeyPin) {
    this.#pin = pin
  }

  /** The fingerprint of the key that was rejected, if one was. */
  get rejected(): string | undefined {
    return this.#rejected
  }

  /** Whether to go on with a host that shows this key; whether it holds the key is not known yet. */
  accept(key: Buffer): boolean {
    this.#shown = key
    const isAccepted = this.#pin.accepts(key)
    this.#rejected = isAccepted ? undefined : fingerprintOf(key)
    return isAccepted
  }

  /** The host has signed with the key that it showed. */
  confirm(): void {
    if (this.#shown !== undefined) this.#pin.record(this.#shown)
  }
}

function parsePinned(text: string): HostKey {
  const [type = '', key = ''] = text.trim().split(/\s+/)
  if (signatures[type] === undefined) {
    throw invalidPin(`its type is none of ${Object.keys(signatures).join(', ')}`)
  }
  if (/^SHA256:[A-Za-z0-9+/]{43}$/.test(key)) return { type, fingerprint: key }
  const blob = Buffer.from(key, 'base64')
  if (blob.toString('base64') !== key || typeOf(blob) !== type) {
    throw invalidPin(`it is no ${type} key and no SHA256 fingerprint`)
  }
  return { type, fingerprint: fingerprintOf(blob) }
}

function invalidPin(reason: string): ClusterError {
  return new ClusterError('ssh-host-key', `the pinned host key cannot be used: ${reason}`, {
    hint: 'Write the type and the key of one line of ssh-keyscan, or the type and the fingerprint: ssh-ed25519 SHA256:<43 characters>.',
  })
}

/** The first field of a public key in SSH's wire format; empty where there is none. */
function typeOf(key: Buffer): string {
  if (key.length < 4) return ''
  return key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1')
}

/** `SHA256:` and the unpadded base64 of the key's digest. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}
