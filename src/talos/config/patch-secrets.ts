import { isClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject, type Json } from '../../lib/json.ts'
import { isSecretKey } from '../../plan/config-secrets.ts'
import { looksSecret as isSecretText } from '../../plan/secret-look.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { hasReference, withoutReferences } from '../../spec/secret-reference.ts'
import { parseConfigDocuments } from './config-documents.ts'
import { YamlProblem } from './yaml-documents.ts'

/** Keys below which anything may stand: a value of theirs is a secret by its looks alone. */
const holdsAnything =
  /^(env|environment|variables|providers|contents?|manifest|data|stringData|headers|extraManifestHeaders)$/

/**
 * What of a spec's patches is a secret: the state never held it, so nothing else has told it to the redactor. Of what
 * may hold anything only that which looks like one: words that are hidden by mistake make every output unreadable.
 */
export function patchSecrets({ talos, controlPlane, workers }: ClusterSpec): string[] {
  const texts = [
    ...talos.patches,
    ...talos.controlPlanePatches,
    ...talos.workerPatches,
    ...[controlPlane, ...workers].flatMap(({ patches }) => patches),
  ]
  return [...new Set(texts.flatMap((text) => documentsOf(text).flatMap(secretsOfDocument)))]
}

/** The documents of a patch; what is no YAML is a finding elsewhere. */
export function documentsOf(text: string): Json[] {
  try {
    return parseConfigDocuments(text)
  } catch (error) {
    if (error instanceof YamlProblem || isClusterError(error)) return []
    throw error
  }
}

function secretsOfDocument(document: Json): string[] {
  if (!isList(document)) return secretsIn(document, 'no')
  return document.flatMap((operation) => {
    if (!isJsonObject(operation)) return []
    const keys = String(operation['path'] ?? '').split('/')
    const kind = keys.reduce<Kind>(below, 'no')
    return secretsIn(operation['value'], kind)
  })
}

/** Whether what stands here is a secret: it is, it is where it looks like one, or only a key or a URL is. */
type Kind = 'yes' | 'by looks' | 'no'

function below(kind: Kind, key: string): Kind {
  if (kind === 'yes' || (isSecretKey(key) && !holdsAnything.test(key))) return 'yes'
  return kind === 'by looks' || holdsAnything.test(key) ? 'by looks' : 'no'
}

function secretsIn(value: Json | undefined, kind: Kind): string[] {
  if (isList(value)) return value.flatMap((each) => secretsIn(each, kind))
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, each]) => [
      ...passwordsIn(key),
      ...secretsIn(each, below(kind, key)),
    ])
  }
  if (typeof value !== 'string') return []
  if (hasReference(value)) return secretsIn(withoutReferences(value), kind === 'yes' ? 'no' : kind)
  const passwords = passwordsIn(value)
  if (kind === 'yes' || isSecretText(value)) return [value, ...passwords]
  return kind === 'by looks' ? [...passwords, ...value.split(/\s+/).filter(looksSecret)] : passwords
}

/** Those of URLs, which are keys of mirrors and values of proxies. */
function passwordsIn(text: string): string[] {
  return [...text.matchAll(/:\/\/[^/\s:@]*:([^/\s@]+)@/g)].map(([, password]) => password ?? '')
}

/** A token has letters and digits and no blank, and is longer than words are. */
function looksSecret(word: string): boolean {
  return (
    word.length >= 16 && /\d/.test(word) && /[A-Za-z]/.test(word) && !/[/.:][\w.-]*[/.:]/.test(word)
  )
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
