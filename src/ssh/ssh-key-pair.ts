/** A key made for one occasion and forgotten with it. */
export interface SshKeyPair {
  /** OpenSSH private key; a secret. */
  readonly privateKey: string
  /** One line of `authorized_keys`. */
  readonly publicKey: string
}

/** How often a pair is made at most: one in some hundreds is malformed, so three in a row never are. */
const attempts = 10

/**
 * An Ed25519 pair; `comment` tells people whose it was. ssh2 1.17 writes a private key that it cannot
 * read itself in about one of 270 cases, so each is read before it is used.
 */
export async function createSshKeyPair(comment: string): Promise<SshKeyPair> {
  const { default: ssh2 } = await import('ssh2')
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
    const isComplete = !(ssh2.utils.parseKey(pair.private) instanceof Error)
    if (isComplete) return { privateKey: pair.private, publicKey: pair.public }
  }
  throw new Error(`ssh2 made no readable key in ${attempts} attempts`)
}
