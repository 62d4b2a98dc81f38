import { isJsonObject, type Json } from '../lib/json.ts'
import { hasReference, withoutReferences } from '../spec/secret-reference.ts'
import { isSecretName, looksSecret } from './secret-look.ts'

/**
 * Which keys of a Talos machine config hold secrets: tried on every key of a value's path, so a key that
 * matches takes everything below it along. Names of v1alpha1 and of the documents up to Talos 1.14, and by
 * what people put there: environments hold proxies with passwords, files and manifests hold anything, and the arguments
 * of credential providers hold credentials.
 * Written for Go's and JavaScript's expressions alike, since it is also SOPS's `encrypted_regex`.
 */
export const machineConfigSecrets =
  '[Ss]ecret|[Tt]oken|[Pp]assword|[Pp]assphrase|[Pp]rivateKey|[Pp]resharedKey|[Cc]redential' +
  '|^(key|auth|env|environment|variables|providers|content|contents|manifest|headers|extraManifestHeaders|apiUrl|data|stringData)$'

const secretKey = new RegExp(machineConfigSecrets)

/** Whether everything below this key is secret. */
export function isSecretKey(key: string): boolean {
  return secretKey.test(key)
}

/** Stands where a secret stands. */
export const hidden = '(hidden)'

/**
 * Where a value comes from. What stands in the cluster file anybody sees who sees the plan, so that only what looks
 * like a secret is hidden; of what a node runs nobody knows who put it there, and places where secrets are kept are
 * hidden whole.
 */
export type ValueOrigin = 'file' | 'node'

/** The value at these keys with every secret in it hidden; all of it, where that stands below a secret. */
export function hideSecrets(value: Json, origin: ValueOrigin, keys: readonly string[] = []): Json {
  // The name of a secret tells nothing of it.
  if (isReference(value)) return value
  if (keys.some((key, at) => isSecretPlace(key, origin, keys.slice(0, at)))) return hidden
  return hideBelow(value, origin, keys)
}

function hideBelow(value: Json, origin: ValueOrigin, keys: readonly string[]): Json {
  if (typeof value === 'string') return looksSecret(withoutReferences(value)) ? hidden : value
  if (Array.isArray(value)) return value.map((each) => hideBelow(each, origin, keys))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]): [string, Json] => [
      key,
      isSecretPlace(key, origin, keys) && !isPublicScalar(each) && !isReference(each)
        ? hidden
        : hideBelow(each, origin, [...keys, key]),
    ]),
  )
}

/** What switches something on or counts it. */
function isPublicScalar(value: Json): boolean {
  return typeof value === 'boolean' || typeof value === 'number'
}

/** A text that is references and nothing else. */
function isReference(value: Json): boolean {
  return typeof value === 'string' && hasReference(value) && withoutReferences(value) === ''
}

/** A key of a taint, a toleration or a selector is a name. */
const namedByKey =
  /^(registerWithTaints|taints|nodeTaints|tolerations|matchExpressions|topologySpreadConstraints)$/

function isSecretPlace(key: string, origin: ValueOrigin, above: readonly string[]): boolean {
  if (key === 'key') return !above.some((each) => namedByKey.test(each))
  return origin === 'file'
    ? isSecretName(key) || key === 'stringData'
    : isSecretKey(key) || isSecretName(key)
}
