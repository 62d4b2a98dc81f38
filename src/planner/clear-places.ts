import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts'
import { isEvidentSecret } from '../plan/secret-look.ts'
import { withoutReferences } from '../spec/secret-reference.ts'
import type { Path } from '../spec/yaml/yaml-source.ts'

/**
 * Fields that hold a secret and nothing else: those of Talos (credentials of registries, WireGuard, disk
 * encryption), and what charts call theirs.
 */
const secretField =
  /^(auth|password|passphrase|identityToken|privateKey|presharedKey|clientSecret|secretKey|secretAccessKey|api[-_]?key|api[-_]?token|access[-_]?token|auth[-_]?key|token)$/i

/** Where in a value secrets stand in plain text. Pure. */
export function clearPlaces(value: Json, path: Path = []): Path[] {
  if (typeof value === 'string') return isClear(value, path.at(-1)) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((each, at) => clearPlaces(each, [...path, at]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) => clearPlaces(each, [...path, key]))
}

/** The same in an object of Kubernetes. */
export function clearManifestPlaces(document: Json): Path[] {
  return isSecretObject(document) ? clearSecretData(document) : clearPlaces(document)
}

function isSecretObject(document: Json): document is JsonObject {
  return isJsonObject(document) && document['kind'] === 'Secret'
}

/** What a Secret among manifests holds, whatever its keys are called; one place tells of all. */
function clearSecretData(document: JsonObject): Path[] {
  return ['data', 'stringData'].flatMap((field) => {
    const held = document[field]
    const texts = isJsonObject(held) ? Object.values(held) : []
    return texts.some((text) => typeof text === 'string' && isPlain(text)) ? [[field]] : []
  })
}

function isPlain(text: string): boolean {
  return withoutReferences(text).trim() !== '' && withoutReferences(text) === text
}

function isClear(text: string, key: string | number | undefined): boolean {
  // The digest of an image stands where a URL has its host.
  const clear = withoutReferences(text).replaceAll(/@sha256:[0-9a-f]+/g, '')
  if (isEvidentSecret(clear)) return true
  // A path says where a secret lies.
  return secretField.test(String(key ?? '')) && clear === text && /^[^/\s]\S*$/.test(text)
}
