/** What stands in the place of a secret. */
export const redacted = '***'

/** Shorter values are not secrets but words; hiding them would make every text unreadable. */
const shortestSecret = 8

/**
 * Knows the secrets of this run and takes them out of any text. One per process; everything that
 * leaves it (log, summary, comment, error) passes through `redact`.
 */
export class Redactor {
  readonly #secrets = new Set<string>()
  #longest = 0
  readonly #listeners: ((secret: string) => void)[] = []

  /**
   * Registers a leaf secret together with its base64 form and, where it has several lines (a PEM),
   * each line that can stand alone. Values of fewer than 8 characters are ignored.
   */
  add(secret: string): void {
    const forms = [secret, toBase64(secret), ...(secret.includes('\n') ? pemBody(secret) : [])]
    for (const form of forms) {
      const value = form.trim()
      if (value.length < shortestSecret || this.#secrets.has(value)) continue
      this.#secrets.add(value)
      this.#longest = Math.max(this.#longest, Buffer.byteLength(value))
      for (const listener of this.#listeners) listener(value)
    }
  }

  /** Tells `listener` each secret, the known ones now and later ones when they are added. */
  onSecret(listener: (secret: string) => void): void {
    this.#listeners.push(listener)
    for (const secret of this.#secrets) listener(secret)
  }

  /** `text` with every registered secret replaced, the longest first. */
  redact(text: string): string {
    return without(text, this.#longestFirst())
  }

  /** The same of bytes, which need not be a text: secrets stand in them as UTF-8. */
  redactBytes(bytes: Uint8Array): Uint8Array {
    const secrets = this.#longestFirst().map((secret) => Buffer.from(secret).toString('latin1'))
    return Buffer.from(without(Buffer.from(bytes).toString('latin1'), secrets), 'latin1')
  }

  /** How many bytes the longest secret has: no more of one can be missing where something was cut. */
  get longestSecret(): number {
    return this.#longest
  }

  /** Where the secret begins and ends that a cut of `bytes` before the byte `at` would go through, if any. */
  secretAcross(bytes: Uint8Array, at: number): readonly [start: number, end: number] | undefined {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (const secret of this.#secrets) {
      const start = at === 0 ? -1 : all.lastIndexOf(secret, at - 1)
      const end = start + Buffer.byteLength(secret)
      if (start >= 0 && end > at) return [start, end]
    }
    return undefined
  }

  #longestFirst(): string[] {
    return [...this.#secrets].sort((a, b) => b.length - a.length)
  }
}

function without(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) {
    if (clean.includes(secret)) clean = clean.replaceAll(secret, redacted)
  }
  return clean
}

function pemBody(text: string): string[] {
  return text.split('\n').filter((line) => line.length >= 32 && !line.startsWith('-----'))
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
