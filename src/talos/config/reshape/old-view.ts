import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts'
import { encodeText } from '../base64.ts'
import { type ConfigDocument, documentIdentity } from '../config-document.ts'
import { asText, listAt, textAt, valueAt } from '../validate/read-config.ts'
import { type HomeForm, settingHomes } from './setting-homes.ts'

/** Whether a config has the shape of the contract v1.14: every one of it names its cluster in this document alone. */
export function isReshaped(documents: readonly ConfigDocument[]): boolean {
  const isOld = ofKind(documents, '').some((legacy) => valueAt(legacy, 'cluster', 'clusterName'))
  return !isOld && ofKind(documents, 'KubeClusterConfig').length > 0
}

/**
 * The v1alpha1 document of a config, with what documents of the contract v1.14 say in its place: so that what reads
 * settings reads them from one place, whatever shape the config has. It is for reading; no node gets it.
 */
export function oldView(documents: readonly ConfigDocument[]): ConfigDocument {
  const legacy = documents.find((document) => documentIdentity(document).kind === '') ?? {}
  if (!isReshaped(documents)) return legacy
  const found = settingHomes.flatMap(({ old, kind, path, form }) => {
    const value = valueAt(documentOf(documents, kind), ...path)
    const read = value === undefined || value === null ? undefined : readBack(value, form)
    return read === undefined ? [] : [[old, read] as const]
  })
  return [...found, ...listsOf(documents), ...secretsOf(documents)].reduce(
    (view, [path, value]) => withValue(view, path, value),
    legacy,
  )
}

type Setting = readonly [path: readonly string[], value: Json]

/** Documents that are elements of one list. */
function listsOf(documents: readonly ConfigDocument[]): Setting[] {
  const plugins = ofKind(documents, 'KubeAdmissionControlConfig')
  return plugins.length === 0
    ? []
    : [[['cluster', 'apiServer', 'admissionControl'], plugins.map(withoutIdentity)]]
}

function secretsOf(documents: readonly ConfigDocument[]): Setting[] {
  // A worker has no key, and accepts the authority alone: the first of those that it does.
  const authority = documentOf(documents, 'KubeAPIServerCAConfig')
  const [accepted] = valueAt(authority, 'issuingCA') ? [] : listAt(authority, 'acceptedCAs')
  const crt = asText(accepted)
  return [
    ...(crt === undefined ? [] : [[['cluster', 'ca', 'crt'], encodeText(crt)] as const]),
    ...(['secretbox', 'aescbc'] as const).flatMap((provider) => {
      const secret = encryptionSecret(documents, provider)
      return secret === '' ? [] : [[['cluster', `${provider}EncryptionSecret`], secret] as const]
    }),
  ]
}

/** The key with which a provider writes secrets into etcd: the first of its keys. */
function encryptionSecret(documents: readonly ConfigDocument[], provider: string): string {
  const [resources] = listAt(
    documentOf(documents, 'KubeEtcdEncryptionConfig'),
    'config',
    'resources',
  )
  const providers = listAt(resources, 'providers')
  const [key] = providers.flatMap((each) => listAt(each, provider, 'keys'))
  return textAt(key, 'secret')
}

function readBack(value: Json, form: HomeForm | undefined): Json | undefined {
  if (form === 'elsewhere') return undefined
  if (form === 'inverse') return value === false ? true : undefined
  return form === 'pem' && typeof value === 'string' ? encodeText(value) : value
}

function documentOf(documents: readonly ConfigDocument[], kind: string): ConfigDocument {
  return ofKind(documents, kind)[0] ?? {}
}

function ofKind(documents: readonly ConfigDocument[], kind: string): ConfigDocument[] {
  return documents.filter((document) => documentIdentity(document).kind === kind)
}

function withoutIdentity({ apiVersion: _a, kind: _k, ...fields }: ConfigDocument): JsonObject {
  return fields
}

function withValue(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [key = '', ...below] = path
  if (below.length === 0) return { ...object, [key]: value }
  const inner = object[key]
  return { ...object, [key]: withValue(isJsonObject(inner) ? inner : {}, below, value) }
}
