/** Encrypts every leaf. */
export const everything = '^'

/** What names somebody instead of letting them in. */
const name = /^(user(name)?|name|email|registry|host|server)$/i

const secret = /secret|token|password|passphrase|privatekey|presharedkey|^key$|^auth$/i

/**
 * Whether the value at these keys is a secret by itself, to be kept out of every text: neither a whole file, nor
 * the name beside a password, which may be a word that stands in any path.
 */
export function isSecretLeaf(keys: readonly string[]): boolean {
  return keys.some((key) => secret.test(key)) && !name.test(keys.at(-1) ?? '')
}
