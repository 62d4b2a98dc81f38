/** Encrypts every leaf. */
export const everything = '^'

/** Whether a value under this key is a secret by itself, to be kept out of every text, and not a whole file. */
export function namesSecret(key: string): boolean {
  return /secret|token|password|passphrase|privatekey|presharedkey|^key$|^auth$/i.test(key)
}
