export type RecipientKind = 'x25519' | 'post-quantum'

/** The letters of Bech32 (BIP 173), each standing for its place. */
const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** Bytes of an X25519 public key, and of the hybrid of ML-KEM-768 and X25519. */
const keyBytes = { age: 32, age1pq: 1216 }

/**
 * What kind of age recipient a text is, its checksum included; undefined if it is none that this
 * program can encrypt to (recipients of plugins and SSH keys are not).
 */
export function recipientKind(text: string): RecipientKind | undefined {
  if (isBech32(text, 'age', keyBytes.age)) return 'x25519'
  return isBech32(text, 'age1pq', keyBytes.age1pq) ? 'post-quantum' : undefined
}

function isBech32(text: string, prefix: string, bytes: number): boolean {
  if (!text.startsWith(`${prefix}1`)) return false
  const data = text.slice(prefix.length + 1)
  const digits = Array.from(data, (letter) => alphabet.indexOf(letter))
  const checksumLength = 6
  const hasRightLength = digits.length - checksumLength === Math.ceil((bytes * 8) / 5)
  if (!hasRightLength || digits.includes(-1)) return false
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0))
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
  return checksum([...expanded, ...digits]) === 1
}

function checksum(values: readonly number[]): number {
  return values.reduce((sum, value) => {
    const top = sum >>> 25
    const shifted = ((sum & 0x1ffffff) << 5) ^ value
    return generators.reduce(
      (mixed, generator, bit) => ((top >>> bit) & 1 ? mixed ^ generator : mixed),
      shifted,
    )
  }, 1)
}
