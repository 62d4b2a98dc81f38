import type { Fault } from '../config-problem.ts'
import type { Rule } from '../config-view.ts'
import { isEndpointUrl, parseGoUrl } from '../forms/go-url.ts'
import {
  asText,
  hasElements,
  isSetAt,
  listAt,
  mappingAt,
  numberAt,
  textAt,
  valueAt,
} from '../read-config.ts'
import { resourceFaults } from './cluster-parts.ts'
import { imageFaults } from './kubernetes-images.ts'
import { needs } from './link-documents.ts'
import { fieldsOfTalos, rolesSince13, subnetFaults } from './machine-parts.ts'

/** The documents of Kubernetes that came with 1.14: each component is one. */

/** What is switched off is looked at no further. */
export const componentHasImage: Rule = (document, { minor }) => {
  if (document['enabled'] === false) return []
  return [
    ...needs(document, 'image'),
    ...imageFaults(['image'], textAt(document, 'image'), minor),
    ...resourceFaults(['resources'], valueAt(document, 'resources')),
  ]
}

/** Arguments that have a document of their own, by how they begin. */
const homesOfArguments: readonly (readonly [prefix: string, kind: string])[] = [
  ['anonymous-auth', 'KubeAuthenticationConfig'],
  ['oidc-', 'KubeAuthenticationConfig'],
  ['authentication-config', 'KubeAuthenticationConfig'],
  ['authorization-config', 'KubeAuthorizerConfig'],
  ['authorization-mode', 'KubeAuthorizerConfig'],
  ['authorization-webhook-', 'KubeAuthorizerConfig'],
]

export const apiServerLeavesItsDocuments: Rule = (document) =>
  Object.keys(mappingAt(document, 'extraArgs')).flatMap((key): Fault[] => {
    const home = homesOfArguments.find(([prefix]) => key.startsWith(prefix))
    if (home === undefined) return []
    const hint = `Write a ${home[1]} document.`
    return [{ at: ['extraArgs', key], message: 'cannot be an argument here', hint }]
  })

export const kubeletLeavesTalosItsOwn: Rule = (document) =>
  Object.keys(mappingAt(document, 'config'))
    .filter((key) => fieldsOfTalos.includes(key))
    .map((key) => ({ at: ['config', key], message: 'is set by Talos and cannot be overridden' }))

export const proxyHasMode: Rule = (document) => {
  if (document['enabled'] === false) return []
  const mode = textAt(document, 'mode')
  const isOld = mode === 'iptables' || mode === 'ipvs'
  return [
    ...(isOld || mode === '' || mode === 'nftables'
      ? []
      : [{ at: ['mode'], message: 'must be nftables, iptables or ipvs' }]),
    ...(isOld ? [{ at: ['mode'], message: 'should be nftables', isWarning: true }] : []),
    ...(Object.keys(mappingAt(document, 'extraArgs')).length > 0
      ? [
          {
            at: ['extraArgs'],
            message: 'may have no effect: config is read instead',
            isWarning: true,
          },
        ]
      : []),
  ]
}

export const flannelHasBackend: Rule = (document) => [
  ...needs(document, 'backendType'),
  ...resourceFaults(['resources'], valueAt(document, 'resources')),
]

export const clusterIsNamed: Rule = (document) => [
  ...needs(document, 'clusterName'),
  ...(isEndpointUrl(textAt(document, 'endpoint'))
    ? []
    : [
        {
          at: ['endpoint'],
          message: 'must be a URL with a host, such as https://example.org:6443',
        },
      ]),
]

export const prismHasPort: Rule = (document) => {
  const port = numberAt(document, 'port')
  return port >= 1 && port <= 65_535
    ? []
    : [{ at: ['port'], message: 'must be between 1 and 65535' }]
}

export const nodeAddressesAreSubnets: Rule = (document) =>
  subnetFaults(['nodeIP', 'validSubnets'], listAt(document, 'nodeIP', 'validSubnets'))

const authorizers = ['Node', 'RBAC', 'Webhook']

export const authorizerIsWhole: Rule = (document) => {
  const type = textAt(document, 'type')
  const hasWebhook = Object.keys(mappingAt(document, 'webhook')).length > 0
  return [
    ...(authorizers.includes(type)
      ? []
      : [{ at: ['type'], message: `must be one of ${authorizers.join(', ')}` }]),
    ...(type === 'Webhook' && !hasWebhook ? [{ at: ['webhook'], message: 'is needed' }] : []),
    ...(type !== 'Webhook' && hasWebhook
      ? [{ at: ['webhook'], message: 'is for the type Webhook', isWarning: true }]
      : []),
  ]
}

export const encryptionIsConfigured: Rule = (document) =>
  Object.keys(mappingAt(document, 'config')).length > 0
    ? []
    : [{ at: ['config'], message: 'is needed' }]

export const issuerHasKey: Rule = (document) => [
  ...(isPem(textAt(document, 'issuer', 'privateKey'))
    ? []
    : [{ at: ['issuer', 'privateKey'], message: 'must be a key in PEM' }]),
  ...needs(document, 'issuer', 'issuerURL'),
]

export const aggregatorSigns: Rule = (document) =>
  isSetAt(document, 'issuingCA') ? [] : [{ at: ['issuingCA'], message: 'is needed' }]

/** Whether a certificate is one, Talos looks itself; that there is one can be seen here. */
export const authoritiesArePem: Rule = (document) => [
  ...['cert', 'key']
    .filter((key) => isSetAt(document, 'issuingCA') && !isPem(textAt(document, 'issuingCA', key)))
    .map((key) => ({ at: ['issuingCA', key], message: 'must be in PEM' })),
  ...listAt(document, 'acceptedCAs').flatMap((each, index) =>
    each === null || isPem(asText(each) ?? '')
      ? []
      : [{ at: ['acceptedCAs', index], message: 'must be a certificate in PEM' }],
  ),
]

function isPem(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]+-----/.test(text)
}

export const accessHasRoles: Rule = (document) => {
  const roles = listAt(document, 'allowedRoles')
  if (!hasElements(roles)) {
    return [{ at: ['allowedRoles'], message: 'is empty: nobody gets in', isWarning: true }]
  }
  return roles.flatMap((each, index) =>
    each === null || rolesSince13.includes(asText(each) ?? '')
      ? []
      : [{ at: ['allowedRoles', index], message: `must be one of ${rolesSince13.join(', ')}` }],
  )
}

const domain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

export const nameIsDomain: Rule = (document) => {
  const name = textAt(document, 'name')
  if (name === '' || (name.length <= 253 && domain.test(name))) return []
  return [{ at: ['name'], message: 'must be a DNS name: lower-case letters, digits, - and .' }]
}

export const manifestIsReachable: Rule = (document) => {
  const scheme = parseGoUrl(textAt(document, 'url'))?.scheme ?? ''
  return ['http', 'https'].includes(scheme)
    ? []
    : [{ at: ['url'], message: 'must begin with https:// or http://' }]
}

export const podIsThere: Rule = (document) =>
  Object.keys(mappingAt(document, 'pod')).length > 0 ? [] : [{ at: ['pod'], message: 'is needed' }]

export const identityIsWhole: Rule = (document) => {
  const secret = textAt(document, 'clusterSecret')
  return [
    ...needs(document, 'clusterID'),
    ...(/^[A-Za-z0-9+/]{43}=$/.test(secret)
      ? []
      : [{ at: ['clusterSecret'], message: 'must be 32 bytes in base64' }]),
  ]
}

export const discoveryIsReachable: Rule = (document) => {
  const url = parseGoUrl(textAt(document, 'endpoint'))
  const isGood = url && /^(http|https|grpc)$/.test(url.scheme) && url.host !== ''
  return isGood
    ? []
    : [
        {
          at: ['endpoint'],
          message: 'must begin with https://, http:// or grpc:// and have a host',
        },
      ]
}
