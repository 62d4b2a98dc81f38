import { jsonValues } from '../../addons/merge-values.ts'
import { type Finding, formatPath } from '../../lib/finding.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { fieldAt } from '../../lib/kubernetes-object.ts'
import { isEvidentSecret } from '../../plan/secret-look.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { referenceTo, withoutReferences } from '../../spec/secret-reference.ts'
import { manifestPlaces, patchPlaces, valuePlaces } from '../../spec/secret-references.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import { locateInPatch } from '../../spec/yaml/locate-in-patch.ts'
import type { Path } from '../../spec/yaml/yaml-source.ts'
import { documentIdentity } from '../../talos/config/config-document.ts'
import { documentsOf } from '../../talos/config/patch-secrets.ts'

/**
 * Fields that hold a secret and nothing else: those of Talos (credentials of registries, WireGuard, disk
 * encryption), and what charts call theirs.
 */
const secretField =
  /^(auth|password|passphrase|identityToken|privateKey|presharedKey|clientSecret|secretKey|secretAccessKey|api[-_]?key|api[-_]?token|access[-_]?token|auth[-_]?key|token)$/i

/**
 * Secrets that stand in plain text in a file that is committed, each with its line: by the field that they stand in, or by
 * what they look like (a private key, the token of a known service, a URL with a password). Quotes none of them.
 */
export function clearSecretFindings(text: string, spec: ClusterSpec): Finding[] {
  const ofPatches = patchPlaces(spec).flatMap(({ text: patch, path }) =>
    documentsOf(patch).flatMap((document) => {
      const { kind, name } = documentIdentity(isJsonObject(document) ? document : {})
      return clearPlaces(document, []).map((at): Finding => {
        const place = { at, kind, name: name === '' ? undefined : name }
        return { ...warning(path, at), position: locateInPatch(text, path, place) }
      })
    }),
  )
  const ofValues = valuePlaces(spec).flatMap(({ values, path }) =>
    clearPlaces(jsonValues(values), []).map((at) => warning([...path, ...at], [])),
  )
  const ofManifests = manifestPlaces(spec).flatMap(({ text: manifest, path }) =>
    documentsOf(manifest).flatMap((document) =>
      (isSecretObject(document) ? clearSecretData(document) : clearPlaces(document, [])).map((at) =>
        warning(path, at),
      ),
    ),
  )
  return [...ofPatches, ...locateFindings(text, [...ofValues, ...ofManifests])]
}

/** The texts that these findings are about in values and manifests of addons: for whoever shows what is made of them. */
export function clearAddonSecrets(spec: ClusterSpec): string[] {
  const documents = [
    ...valuePlaces(spec).map(({ values }): Json => jsonValues(values)),
    ...manifestPlaces(spec).flatMap(({ text }) => documentsOf(text)),
  ]
  return documents.flatMap((document) =>
    clearPlaces(document, []).flatMap((path) => {
      const text = fieldAt(document, ...path)
      return typeof text === 'string' ? [text] : []
    }),
  )
}

function warning(path: Path, at: Path): Finding {
  const where = [formatPath(path), formatPath(at)].filter(Boolean).join(': ')
  return {
    severity: 'warning',
    path,
    message: `${where} looks like a secret, and is in plain text in a file that is committed`,
    hint: `Write ${referenceTo('name')} there and keep the value with \`hcloud-talos secret set name\`; what was pushed once must be renewed.`,
  }
}

function clearPlaces(value: Json, path: Path): Path[] {
  if (typeof value === 'string') return isClear(value, path.at(-1)) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((each, at) => clearPlaces(each, [...path, at]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, each]) => clearPlaces(each, [...path, key]))
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
