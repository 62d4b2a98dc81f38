import { jsonDigest } from '../../lib/canonical-json.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { hidden, isSecretKey } from '../../plan/config-secrets.ts'
import { isPlaceholder } from './config-digest.ts'
import { type ConfigDocument, documentIdentity, sameIdentity } from './config-document.ts'
import { type ConfigDifference, diffConfigs } from './diff-configs.ts'

export interface StoredConfig {
  /** As it was last applied, with anything in the place of its secrets. */
  readonly documents: readonly ConfigDocument[]
  /** What `configDigest` was of the spec that it was made from. */
  readonly digest: string
}

/**
 * The fields in which a stored machine config differs from the desired one, told without a key: `desired`
 * has placeholders (`publicConfig`), `stored` ciphertexts. Of values that are hidden on both sides, the
 * recorded digest tells whether any differs, and nobody can tell which: that one may take a reboot.
 */
export function diffStoredConfig(
  { documents, digest }: StoredConfig,
  desired: readonly ConfigDocument[],
  { loadBalancerPublicIp }: { readonly loadBalancerPublicIp?: string | undefined } = {},
): ConfigDifference[] {
  const filled = documents.map((document) => fillIn(document, twinOf(document, desired)))
  const differences = diffConfigs(filled, desired)
  const candidates = [filled, filled.map((one) => withoutName(one, loadBalancerPublicIp))]
  const known = candidates.some((candidate) => jsonDigest(candidate) === digest)
  if (known) return differences
  return [
    ...differences,
    {
      path: 'a secret value',
      before: hidden,
      after: '(hidden, another one)',
      effect: 'reboot',
      restarts: [],
    },
  ]
}

function twinOf(document: ConfigDocument, all: readonly ConfigDocument[]): ConfigDocument {
  const identity = documentIdentity(document)
  return all.find((other) => sameIdentity(documentIdentity(other), identity)) ?? {}
}

/** A document with the other's values wherever its own cannot be known. */
function fillIn(stored: ConfigDocument, other: ConfigDocument): ConfigDocument {
  return fillObject(stored, other, false)
}

function fillObject(stored: JsonObject, other: Json | undefined, secret: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(stored).map(([key, value]) => [
      key,
      fillValue(value, isJsonObject(other) ? other[key] : undefined, secret || isSecretKey(key)),
    ]),
  )
}

function fillValue(stored: Json, other: Json | undefined, secret: boolean): Json {
  if (isJsonObject(stored)) return fillObject(stored, other, secret)
  if (isList(stored)) {
    return stored.map((each, index) =>
      fillValue(each, isList(other) ? other[index] : undefined, secret),
    )
  }
  const isLeaf = other !== undefined && other !== null && typeof other !== 'object'
  return isLeaf && (secret || isPlaceholder(other)) ? other : stored
}

/**
 * Digests are made before the load balancer has its address, configs after: the name that a certificate
 * got for it is taken away again.
 */
function withoutName(document: ConfigDocument, name: string | undefined): ConfigDocument {
  const strip = (value: Json | undefined, keys: readonly string[]): Json | undefined => {
    const [key, ...rest] = keys
    if (key === undefined) return isList(value) ? value.filter((each) => each !== name) : value
    if (!isJsonObject(value) || value[key] === undefined) return value
    return { ...value, [key]: strip(value[key], rest) ?? null }
  }
  const stripped = sanLists.reduce<Json | undefined>(strip, document)
  return isJsonObject(stripped) ? stripped : document
}

const sanLists = [
  ['machine', 'certSANs'],
  ['cluster', 'apiServer', 'certSANs'],
] as const

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
