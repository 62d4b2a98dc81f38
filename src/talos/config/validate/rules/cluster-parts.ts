import type { Json } from '../../../../lib/json.ts'
import { documentIdentity } from '../../config-document.ts'
import type { Fault } from '../config-problem.ts'
import { type ConfigView, eachOf, type Rule } from '../config-view.ts'
import { isEndpointUrl, parseGoUrl } from '../forms/go-url.ts'
import {
  asText,
  hasElements,
  isSetAt,
  isTrueAt,
  listAt,
  mappingAt,
  textAt,
  valueAt,
} from '../read-config.ts'
import { subnetFaults } from './machine-parts.ts'

const dnsName = /^[a-zA-Z0-9_][a-zA-Z0-9_-]{0,62}(\.[a-zA-Z0-9_][a-zA-Z0-9_-]{0,62})*[._]?$/

/** Since 1.14 the endpoint may stand in a document of its own; the service accounts of the old shape need it here. */
export const endpointIsThere: Rule = ({ cluster }, view) => {
  if (!isSetAt(cluster)) return []
  const at = ['cluster', 'controlPlane', 'endpoint']
  const endpoint = valueAt(cluster, 'controlPlane', 'endpoint')
  if (!isSetAt(endpoint)) {
    const isNeeded =
      view.minor < 14 ||
      isSetAt(cluster, 'controlPlane') ||
      isSetAt(cluster, 'serviceAccount') ||
      (hasKubernetes(view) && !hasDocument(view, 'KubeClusterConfig'))
    return isNeeded ? [{ at, message: 'is needed' }] : []
  }
  if (isEndpointUrl(asText(endpoint) ?? '')) return []
  return [{ at, message: 'must be a URL with a host, such as https://example.org:6443' }]
}

/** Since 1.14 a control plane that has the authority of Kubernetes says how secrets are encrypted in etcd. */
export const secretsAreEncrypted: Rule = ({ cluster }, view) => {
  if (view.minor < 14 || view.role !== 'control-plane' || !hasKubernetes(view)) return []
  const hasKey = ['secretboxEncryptionSecret', 'aescbcEncryptionSecret'].some(
    (key) => textAt(cluster, key) !== '',
  )
  if (hasKey || hasDocument(view, 'KubeEtcdEncryptionConfig')) return []
  return [{ at: ['cluster', 'secretboxEncryptionSecret'], message: 'is needed' }]
}

function hasKubernetes(view: ConfigView): boolean {
  const { legacy } = view
  return (
    isSetAt(legacy, 'cluster', 'ca') ||
    isSetAt(legacy, 'cluster', 'acceptedCAs') ||
    hasDocument(view, 'KubeAPIServerCAConfig')
  )
}

function hasDocument({ documents }: ConfigView, kind: string): boolean {
  return documents.some((document) => documentIdentity(document).kind === kind)
}

export const clusterDomainIsOne: Rule = ({ cluster }) => {
  const domain = textAt(cluster, 'network', 'dnsDomain')
  if (domain === '' || (dnsName.test(domain) && domain.replaceAll('.', '').length <= 255)) return []
  return [
    {
      at: ['cluster', 'network', 'dnsDomain'],
      message: 'must be a DNS name, such as cluster.local',
    },
  ]
}

export const cloudManifestsNeedTheProvider: Rule = ({ cluster }) => {
  const at = ['cluster', 'externalCloudProvider', 'manifests']
  const provider = valueAt(cluster, 'externalCloudProvider')
  const manifests = listAt(provider, 'manifests')
  if (!isTrueAt(provider, 'enabled')) {
    return !hasElements(manifests)
      ? []
      : [{ at, message: 'needs cluster.externalCloudProvider.enabled' }]
  }
  return urlFaults(at, manifests)
}

export const etcdFitsRole: Rule = ({ cluster }, { role }) => {
  const at = ['cluster', 'etcd']
  const etcd = valueAt(cluster, 'etcd')
  if (!isSetAt(etcd) || role === undefined) return []
  if (role !== 'control-plane') return [{ at, message: 'is for control planes alone' }]
  const advertised = listAt(etcd, 'advertisedSubnets')
  const old = textAt(etcd, 'subnet')
  return [
    ...(isSetAt(etcd, 'ca') ? [] : [{ at: [...at, 'ca'], message: 'is needed' }]),
    ...(old !== '' && hasElements(advertised)
      ? [
          {
            at: [...at, 'subnet'],
            message: 'and cluster.etcd.advertisedSubnets exclude each other',
          },
        ]
      : []),
    ...subnetFaults([...at, 'advertisedSubnets'], advertised),
    ...(old !== '' && !hasElements(advertised) ? subnetFaults([...at, 'subnet'], [old]) : []),
    ...subnetFaults([...at, 'listenSubnets'], listAt(etcd, 'listenSubnets')),
  ]
}

export const inlineManifestsHaveNames: Rule = ({ cluster }) => {
  const manifests = listAt(cluster, 'inlineManifests')
  const names = manifests.map((each) => textAt(each, 'name'))
  return eachOf(manifests, (_, index) => {
    const at = ['cluster', 'inlineManifests', index, 'name']
    const name = names[index] ?? ''
    if (name.trim() === '') return { at, message: 'is needed' }
    return names.indexOf(name) < index
      ? { at, message: 'is the name of another manifest' }
      : undefined
  })
}

export const discoveryServiceIsReachable: Rule = ({ cluster }) => {
  const service = valueAt(cluster, 'discovery', 'registries', 'service')
  if (!isTrueAt(cluster, 'discovery', 'enabled') || isTrueAt(service, 'disabled')) return []
  const endpoint = textAt(service, 'endpoint')
  const url = parseGoUrl(endpoint)
  const isGood =
    endpoint === '' ||
    (url !== undefined &&
      (url.scheme !== '' || endpoint.startsWith('/')) &&
      ['', '/'].includes(url.path))
  return [
    ...(isGood
      ? []
      : [
          {
            at: ['cluster', 'discovery', 'registries', 'service', 'endpoint'],
            message: 'must be a URL without a path, such as https://discovery.talos.dev/',
          },
        ]),
    ...['id', 'secret']
      .filter((key) => textAt(cluster, key) === '')
      .map((key) => ({ at: ['cluster', key], message: 'is needed by the discovery service' })),
  ]
}

/** Only control planes install a CNI. */
export const cniFitsItsName: Rule = ({ cluster }, { role }) => {
  const cni = valueAt(cluster, 'network', 'cni')
  if (role !== 'control-plane' || !isSetAt(cni)) return []
  const at = ['cluster', 'network', 'cni']
  const name = textAt(cni, 'name')
  const urls = listAt(cni, 'urls')
  if (!['flannel', 'custom', 'none'].includes(name)) {
    return [{ at: [...at, 'name'], message: 'must be flannel, custom or none' }]
  }
  return [
    ...(name === 'custom'
      ? customUrls([...at, 'urls'], urls)
      : noUrls([...at, 'urls'], name, urls)),
    ...(name === 'flannel' ? [] : flannelFaults(at, name, cni)),
  ]
}

function noUrls(at: readonly string[], name: string, urls: readonly Json[]): Fault[] {
  return !hasElements(urls) ? [] : [{ at, message: `must be empty with the CNI ${name}` }]
}

function customUrls(at: readonly string[], urls: readonly Json[]): Fault[] {
  if (hasElements(urls)) return urlFaults(at, urls)
  return [{ at, message: 'should name the manifests of the custom CNI', isWarning: true }]
}

function flannelFaults(at: readonly string[], name: string, cni: Json | undefined): Fault[] {
  const hasArgs = hasElements(listAt(cni, 'flannel', 'extraArgs'))
  const hasPolicies = isTrueAt(cni, 'flannel', 'kubeNetworkPoliciesEnabled')
  const message = `is for the CNI flannel, not for ${name}`
  return [
    ...(hasArgs ? [{ at: [...at, 'flannel', 'extraArgs'], message }] : []),
    ...(hasPolicies ? [{ at: [...at, 'flannel', 'kubeNetworkPoliciesEnabled'], message }] : []),
  ]
}

function urlFaults(at: readonly string[], urls: readonly Json[]): Fault[] {
  return eachOf(urls, (url, index) =>
    isEndpointUrl(asText(url) ?? '')
      ? undefined
      : { at: [...at, index], message: 'must be a URL with a host' },
  )
}

const authorizers = ['Node', 'RBAC', 'Webhook']

export const authorizersAreWhole: Rule = ({ cluster }) => {
  const at = ['cluster', 'apiServer']
  const list = listAt(cluster, 'apiServer', 'authorizationConfig')
  const isSet = isSetAt(cluster, 'apiServer', 'authorizationConfig')
  const clashing = Object.keys(mappingAt(cluster, 'apiServer', 'extraArgs')).filter(
    (key) => isSet && (key === 'authorization-mode' || key.startsWith('authorization-webhook-')),
  )
  return [
    ...clashing.map((key) => ({
      at: [...at, 'extraArgs', key],
      message: 'and cluster.apiServer.authorizationConfig exclude each other',
    })),
    ...eachOf(list, (each, index) => {
      const here = [...at, 'authorizationConfig', index]
      return [
        ...(textAt(each, 'name') === '' ? [{ at: [...here, 'name'], message: 'is needed' }] : []),
        ...(authorizers.includes(textAt(each, 'type'))
          ? []
          : [{ at: [...here, 'type'], message: `must be one of ${authorizers.join(', ')}` }]),
      ]
    }),
  ]
}

const components = ['apiServer', 'controllerManager', 'scheduler']

export const podResourcesAreKnown: Rule = ({ cluster }) =>
  components.flatMap((component) =>
    resourceFaults(['cluster', component, 'resources'], valueAt(cluster, component, 'resources')),
  )

export function resourceFaults(at: readonly string[], resources: Json | undefined): Fault[] {
  return ['requests', 'limits'].flatMap((side) =>
    Object.keys(mappingAt(resources, side))
      .filter((key) => key !== 'cpu' && key !== 'memory')
      .map((key) => ({
        at: [...at, side, key],
        message: 'is no resource that can be set here: cpu and memory are',
      })),
  )
}
