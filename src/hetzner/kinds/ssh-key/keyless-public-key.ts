import { generateKeyPairSync } from 'node:crypto'

/** The public half of a fresh Ed25519 key, as an `authorized_keys` line. Nobody ever has the other half. */
export function keylessPublicKey(comment: string): string {
  const { publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const algorithm = 'ssh-ed25519'
  const blob = Buffer.concat([
    lengthPrefixed(Buffer.from(algorithm)),
    lengthPrefixed(Buffer.from(x, 'base64url')),
  ])
  return `${algorithm} ${blob.toString('base64')} ${comment}`
}

/** RFC 4251, section 5: a string is its length in four bytes, then its bytes. */
function lengthPrefixed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
