import { jsonValues } from '../../addons/merge-values.ts'
import { type Finding, formatPath } from '../../lib/finding.ts'
import { isJsonObject } from '../../lib/json.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { referenceTo } from '../../spec/secret-reference.ts'
import { manifestPlaces, patchPlaces, valuePlaces } from '../../spec/secret-references.ts'
import { locateFindings } from '../../spec/yaml/locate-findings.ts'
import { locateInPatch } from '../../spec/yaml/locate-in-patch.ts'
import type { Path } from '../../spec/yaml/yaml-source.ts'
import { documentIdentity } from '../../talos/config/config-document.ts'
import { documentsOf } from '../../talos/config/patch-secrets.ts'
import { clearManifestPlaces, clearPlaces } from '../clear-places.ts'

/**
 * Secrets that stand in plain text in a file that is committed, each with its line: by the field that they stand in, or by
 * what they look like (a private key, the token of a known service, a URL with a password). Quotes none of them.
 */
export function clearSecretFindings(text: string, spec: ClusterSpec): Finding[] {
  const ofPatches = patchPlaces(spec).flatMap(({ text: patch, path }) =>
    documentsOf(patch).flatMap((document) => {
      const { kind, name } = documentIdentity(isJsonObject(document) ? document : {})
      return clearPlaces(document).map((at): Finding => {
        const place = { at, kind, name: name === '' ? undefined : name }
        return { ...warning(path, at), position: locateInPatch(text, path, place) }
      })
    }),
  )
  const ofValues = valuePlaces(spec).flatMap(({ values, path }) =>
    clearPlaces(jsonValues(values)).map((at) => warning([...path, ...at], [])),
  )
  const ofManifests = manifestPlaces(spec).flatMap(({ text: manifest, path }) =>
    documentsOf(manifest).flatMap((document) =>
      clearManifestPlaces(document).map((at) => warning(path, at)),
    ),
  )
  return [...ofPatches, ...locateFindings(text, [...ofValues, ...ofManifests])]
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
