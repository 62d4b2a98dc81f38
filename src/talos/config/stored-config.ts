import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { hidden, isSecretKey } from '../../plan/config-secrets.ts'
import { referencesIn } from '../../spec/secret-reference.ts'
import { digestWith } from './config-digest.ts'
import { type ConfigDocument, documentIdentity, sameIdentity } from './config-document.ts'
import { configLeaves } from './config-leaves.ts'
import { type ConfigDifference, describeDifference, diffConfigs } from './diff-configs.ts'
import { hiddenFields, valueOfMark } from './hidden-fields.ts'
import { referenceFields } from './named-secrets.ts'
import { isPlaceholder } from './placeholder.ts'
import { isReshaped } from './reshape/old-view.ts'
import { fieldInDocuments } from './reshape/setting-homes.ts'

export interface StoredConfig {
  /** As it was last applied, with anything in the place of its secrets. */
  readonly documents: readonly ConfigDocument[]
  /** What `configDigest` was of the spec that it was made from. */
  readonly digest: string
  /** What `hiddenFields` were of it; absent in a state that was written before they were recorded. */
  readonly fields?: Readonly<Record<string, string>> | undefined
  /** Versions of the named secrets that it was given. */
  readonly secretVersions?: Readonly<Record<string, number>> | undefined
}

/**
 * The fields in which a stored machine config differs from the desired one, told without a key: `desired`
 * has placeholders (`publicConfig`), `stored` ciphertexts. Of values that are hidden on both sides, the
 * recorded digest tells whether any differs, and the recorded fields which. Where those were not recorded nobody can
 * tell, and it may take a reboot. Digest and fields are of the shape that it is stored in: where the desired one has
 * another, `inStoredShape` is what is desired in that one.
 */
export function diffStoredConfig(
  { documents, digest, fields, secretVersions }: StoredConfig,
  desired: readonly ConfigDocument[],
  {
    inStoredShape = desired,
    loadBalancerPublicIp,
    wantedVersions = {},
  }: {
    readonly inStoredShape?: readonly ConfigDocument[] | undefined
    readonly loadBalancerPublicIp?: string | undefined
    /** Of the named secrets, today. */
    readonly wantedVersions?: Readonly<Record<string, number>> | undefined
  } = {},
): ConfigDifference[] {
  const filled = documents.map((document) => fillIn(document, twinOf(document, inStoredShape)))
  const found = diffConfigs(filled, desired, 'file')
  const isMoved = isReshaped(desired) && !isReshaped(inStoredShape)
  const recorded = fields
    ? diffHiddenFields(fields, inStoredShape, (path) => (isMoved ? fieldInDocuments(path) : path))
    : []
  const renewed = diffVersions(desired, { former: secretVersions ?? {}, wanted: wantedVersions })
  const named = new Set([...recorded, ...renewed].map(({ path }) => path))
  const shown = [
    ...recorded,
    ...renewed.filter(({ path }) => !recorded.some((r) => r.path === path)),
  ]
  const differences = [...found.filter(({ path }) => !named.has(path)), ...shown].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  )
  if (shown.length > 0) return differences
  const candidates = [filled, filled.map((one) => withoutName(one, loadBalancerPublicIp))]
  const known = candidates.some((candidate) => digestWith(candidate, secretVersions) === digest)
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

/** The fields that the branch keeps encrypted, in which the file asks for something else than it did. */
function diffHiddenFields(
  former: Readonly<Record<string, string>>,
  desired: readonly ConfigDocument[],
  shown: (path: string) => string,
): ConfigDifference[] {
  const leaves = configLeaves(desired)
  return Object.entries(hiddenFields(desired)).flatMap(([path, mark]) => {
    const before = former[path]
    const leaf = leaves.get(path)
    if (before === undefined || before === mark || !leaf) return []
    const value = valueOfMark(before)
    const known = value === undefined ? undefined : { ...leaf, value }
    const [difference] = describeDifference(shown(path), known, leaf, 'file')
    return difference ? [known ? difference : { ...difference, before: hidden }] : []
  })
}

/** The fields whose references stay, and of which a named secret has another value. */
function diffVersions(
  desired: readonly ConfigDocument[],
  {
    former,
    wanted,
  }: {
    readonly former: Readonly<Record<string, number>>
    readonly wanted: Readonly<Record<string, number>>
  },
): ConfigDifference[] {
  const leaves = configLeaves(desired)
  return [...referenceFields(desired)].flatMap(([path, text]) => {
    const leaf = leaves.get(path)
    const names = [...new Set(referencesIn(text).map(({ name }) => name))]
    const isNew = names.some((name) => former[name] !== undefined && former[name] !== wanted[name])
    if (!leaf || !isNew) return []
    const versionsOf = (versions: Readonly<Record<string, number>>) =>
      `${text} (${names.map((name) => `version ${versions[name] ?? '?'}`).join(', ')})`
    const [difference] = describeDifference(path, leaf, leaf, 'file')
    return difference
      ? [{ ...difference, before: versionsOf(former), after: versionsOf(wanted) }]
      : []
  })
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
  ['certExtraSANs'],
] as const

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
