/** A key made for one occasion and forgotten with it. */
export interface SshKeyPair {
  /** OpenSSH private key; a secret. */
  readonly privateKey: string
  /** One line of `authorized_keys`. */
  readonly publicKey: string
}

/** An Ed25519 pair; `comment` tells people whose it was. */
export async function createSshKeyPair(comment: string): Promise<SshKeyPair> {
  const { default: ssh2 } = await import('ssh2')
  const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
  return { privateKey: pair.private, publicKey: pair.public }
}
