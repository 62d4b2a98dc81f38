/** Randomness as a parameter. */
export interface Random {
  /** `count` bytes, fit for secrets when this is the system's source. */
  bytes(count: number): Uint8Array<ArrayBuffer>
}

export const systemRandom: Random = {
  bytes: (count) => globalThis.crypto.getRandomValues(new Uint8Array(count)),
}

/**
 * The same bytes for the same seed, on every machine. For tests and the sandbox only: the sequence
 * (a xorshift) can be guessed from any part of it.
 */
export function seededRandom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state & 0xff
  }
  return { bytes: (count) => Uint8Array.from({ length: count }, next) }
}

/** A number in [0, 1) from four random bytes: for jitter. */
export function randomFraction(random: Random): number {
  const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4)
  return (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / 2 ** 32
}

/** `count` random bytes as lower-case hex, twice as many characters. */
export function randomHex(random: Random, count: number): string {
  return Array.from(random.bytes(count), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
