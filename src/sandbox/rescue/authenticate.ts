import ssh2, { type AuthContext, type ParsedKey } from 'ssh2'

/** Admits one user by one of these public keys (OpenSSH lines), and nobody else by nothing else. */
export function authenticate(
  authorizedKeys: readonly string[],
  user = 'root',
): (context: AuthContext) => void {
  const keys = authorizedKeys.flatMap((line) => {
    const parsed = ssh2.utils.parseKey(line)
    return parsed instanceof Error ? [] : [parsed].flat()
  })
  return (context) => {
    if (context.method !== 'publickey') return context.reject(['publickey'])
    const key = keys.find((known) => isSame(known, context.key.data))
    if (context.username !== user || key === undefined) return context.reject(['publickey'])
    // Without a signature the client only asks whether the key would do.
    if (context.signature === undefined) return context.accept()
    const proof = key.verify(context.blob ?? Buffer.alloc(0), context.signature, context.hashAlgo)
    if (proof === true) context.accept()
    else context.reject(['publickey'])
  }
}

function isSame(key: ParsedKey, data: Buffer): boolean {
  return Buffer.from(key.getPublicSSH()).equals(data)
}
