import { isRecord, listAt, textAt, textsAt, valueAt } from './config-value.ts'
import { formerAuthorities, formerPlaces } from './former-places.ts'

type Settings = Record<string, unknown>

/**
 * What a node of 1.14 reads out of a config, whichever of its two shapes that has: the v1alpha1 document, with what
 * stands in documents of their own at the places that it had there. What has no such place is below
 * `cluster.apiServer` (`authentication`, `etcdEncryption`) and in `cluster.kubeNode` (all that a Node is made with).
 */
export function allSettings(
  v1alpha1: Readonly<Settings>,
  others: readonly Readonly<Settings>[],
): Readonly<Settings> {
  const settings = others.reduce<Settings>(readDocument, { ...v1alpha1 })
  return isInDocuments(others) ? withWhatIsLeftOut(settings, others) : settings
}

/** Whether the settings of Kubernetes stand in documents: every config of that shape names its cluster in one. */
function isInDocuments(others: readonly Readonly<Settings>[]): boolean {
  return ofKind(others, 'KubeClusterConfig').length > 0
}

function readDocument(settings: Settings, document: Readonly<Settings>): Settings {
  const kind = textAt(document, 'kind')
  const moved = Object.entries(formerPlaces[kind] ?? {}).map(
    ([field, place]) => [place, valueAt(document, field)] as const,
  )
  const authorities = Object.entries(formerAuthorities[kind] ?? {}).map(([field, place]) => {
    const pem = textAt(document, field)
    return [place, pem === '' ? undefined : toBase64(pem)] as const
  })
  const own = special[kind]?.(document, settings) ?? []
  return [...moved, ...authorities, ...own].reduce(
    (before, [place, value]) =>
      value === undefined ? before : withValue(before, place.split('.'), value),
    settings,
  )
}

type Setting = readonly [place: string, value: unknown]

/** Documents that are more than fields at other places. */
const special: Readonly<
  Record<string, (document: Readonly<Settings>, settings: Settings) => readonly Setting[]>
> = {
  DiscoveryServiceConfig: () => [['cluster.discovery.enabled', true]],
  KubeAPIServerCAConfig: (document) => {
    const [accepted] = isRecord(document['issuingCA']) ? [] : textsAt(document, 'acceptedCAs')
    return [['cluster.ca.crt', accepted === undefined ? undefined : toBase64(accepted)]]
  },
  KubeAdmissionControlConfig: ({ name, configuration }, settings) => {
    const place = 'cluster.apiServer.admissionControl'
    return [[place, [...listAt(settings, place), { name, configuration }]]]
  },
  KubeAuthenticationConfig: ({ configuration }) => [
    ['cluster.apiServer.authentication', configuration ?? {}],
  ],
  KubeAuthorizerConfig: ({ name, type, webhook }, settings) => {
    const place = 'cluster.apiServer.authorizationConfig'
    return [[place, [...listAt(settings, place), { name, type, webhook }]]]
  },
  KubeControllerManagerConfig: disabledAt('machine.controlPlane.controllerManager.disabled'),
  KubeCoreDNSConfig: disabledAt('cluster.coreDNS.disabled'),
  KubeEtcdEncryptionConfig: ({ config }) => [
    ['cluster.apiServer.etcdEncryption', config ?? {}],
    ...encryptionSecrets(config),
  ],
  KubeFlannelCNIConfig: () => [['cluster.network.cni.name', 'flannel']],
  KubeInlineManifestConfig: ({ name, manifest }, settings) => {
    const place = 'cluster.inlineManifests'
    return [[place, [...listAt(settings, place), { name, contents: manifest }]]]
  },
  KubeNodeConfig: ({ labels, taints }) => [['cluster.kubeNode', { labels, taints }]],
  KubePrismConfig: () => [['machine.features.kubePrism.enabled', true]],
  KubeProxyConfig: disabledAt('cluster.proxy.disabled'),
  KubeSchedulerConfig: disabledAt('machine.controlPlane.scheduler.disabled'),
  KubeTalosAPIAccessConfig: () => [['machine.features.kubernetesTalosAPIAccess.enabled', true]],
  SysctlConfig: ({ params }, settings) => [
    ['machine.sysctls', { ...asRecord(valueAt(settings, 'machine.sysctls')), ...asRecord(params) }],
  ],
}

function disabledAt(place: string) {
  return ({ enabled }: Readonly<Settings>): readonly Setting[] =>
    enabled === false ? [[place, true]] : []
}

/** The keys with which it writes, of the provider of each name. */
function encryptionSecrets(config: unknown): Setting[] {
  const providers = listAt(config, 'resources').flatMap((each) => listAt(each, 'providers'))
  return ['secretbox', 'aescbc'].flatMap((name) =>
    providers
      .flatMap((provider) => listAt(provider, `${name}.keys`))
      .slice(0, 1)
      .map((key): Setting => [`cluster.${name}EncryptionSecret`, textAt(key, 'secret')]),
  )
}

/** Where a document is missing, Talos does without what it would switch on. */
function withWhatIsLeftOut(settings: Settings, others: readonly Readonly<Settings>[]): Settings {
  const missing: readonly Setting[] = [
    ...(ofKind(others, 'KubeFlannelCNIConfig').length === 0
      ? [['cluster.network.cni.name', 'none'] as const]
      : []),
    ...(ofKind(others, 'DiscoveryServiceConfig').length === 0
      ? [['cluster.discovery.enabled', false] as const]
      : []),
  ]
  return missing
    .filter(([place]) => valueAt(settings, place) === undefined)
    .reduce((before, [place, value]) => withValue(before, place.split('.'), value), settings)
}

function ofKind(others: readonly Readonly<Settings>[], kind: string): Readonly<Settings>[] {
  return others.filter((document) => textAt(document, 'kind') === kind)
}

function withValue(
  root: Settings,
  [key = '', ...below]: readonly string[],
  value: unknown,
): Settings {
  if (below.length === 0) return { ...root, [key]: value }
  return { ...root, [key]: withValue(asRecord(root[key]), below, value) }
}

function asRecord(value: unknown): Settings {
  return isRecord(value) ? value : {}
}

function toBase64(pem: string): string {
  return Buffer.from(pem).toString('base64')
}
