/**
 * Which keys of a Talos machine config hold secrets, for SOPS's `encrypted_regex`: it is tried on every
 * key of a leaf's path, so a key that matches takes everything below it along. Names of v1alpha1 and of the
 * documents up to Talos 1.13, and by what people put there: environments hold proxies with passwords, file
 * and manifest contents hold anything. Written for Go's and JavaScript's expressions alike.
 */
export const machineConfigSecrets =
  '[Ss]ecret|[Tt]oken|[Pp]assword|[Pp]assphrase|[Pp]rivateKey|[Pp]resharedKey|[Cc]redential' +
  '|^(key|auth|env|environment|variables|content|contents|extraManifestHeaders|apiUrl|data|stringData)$'

/** Encrypts every leaf. */
export const everything = '^'

/** Whether a value under this key is a secret by itself, to be kept out of every text, and not a whole file. */
export function namesSecret(key: string): boolean {
  return /secret|token|password|passphrase|privatekey|presharedkey|^key$|^auth$/i.test(key)
}
