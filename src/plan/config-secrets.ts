import { isJsonObject, type Json } from '../lib/json.ts'

/**
 * Which keys of a Talos machine config hold secrets: tried on every key of a value's path, so a key that
 * matches takes everything below it along. Names of v1alpha1 and of the documents up to Talos 1.13, and by
 * what people put there: environments hold proxies with passwords, file and manifest contents hold anything.
 * Written for Go's and JavaScript's expressions alike, since it is also SOPS's `encrypted_regex`.
 */
export const machineConfigSecrets =
  '[Ss]ecret|[Tt]oken|[Pp]assword|[Pp]assphrase|[Pp]rivateKey|[Pp]resharedKey|[Cc]redential' +
  '|^(key|auth|env|environment|variables|content|contents|extraManifestHeaders|apiUrl|data|stringData)$'

const secretKey = new RegExp(machineConfigSecrets)
/** Where nobody would look for one: a PEM private key, as it is or in base64, and a URL with a password. */
const secretText =
  /PRIVATE KEY|UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW|:\/\/[^/\s:@]*:[^/\s@]+@/

/** Whether everything below this key is secret. */
export function isSecretKey(key: string): boolean {
  return secretKey.test(key)
}

/** Whether a value is a secret by what it is, under whatever key. */
export function isSecretText(value: Json): boolean {
  return typeof value === 'string' && secretText.test(value)
}

/** Stands where a secret stands. */
export const hidden = '(hidden)'

/** The same value with every secret in it hidden. */
export function hideSecrets(value: Json): Json {
  if (isSecretText(value)) return hidden
  if (Array.isArray(value)) return value.map(hideSecrets)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isSecretKey(key) ? hidden : hideSecrets(each),
    ]),
  )
}
