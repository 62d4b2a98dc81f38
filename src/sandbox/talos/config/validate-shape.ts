import { X509Certificate } from 'node:crypto'
import { atLeast, type TalosVersion } from '../talos-version.ts'
import { isRecord, textAt, textsAt, valueAt } from './config-value.ts'
import type { ConfigDocuments } from './parse-config.ts'
import { sectionsByKind } from './replaced-sections.ts'

type Report = (problem: string) => void
type Document = Readonly<Record<string, unknown>>

/** What is wrong with the documents that Talos 1.14 has in the place of sections, and where both shapes are mixed. */
export function validateShape(
  { v1alpha1, others, settings }: ConfigDocuments,
  version: TalosVersion,
  report: Report,
): void {
  if (v1alpha1 === undefined || !atLeast(version, 14)) return
  for (const document of others) validateDocument(document, v1alpha1, report)
  const isWorker = textAt(v1alpha1, 'machine.type') === 'worker'
  const misplaced = others.map(kindOf).filter((kind) => forControlPlanes.includes(kind))
  if (isWorker && misplaced.length > 0) {
    report(
      `the following documents are only allowed on control plane machines: ${misplaced.join(', ')}`,
    )
  }
  const hasEncryption = ['secretbox', 'aescbc'].some(
    (name) => textAt(settings, `cluster.${name}EncryptionSecret`) !== '',
  )
  const isEncrypted =
    hasEncryption || others.some((each) => kindOf(each) === 'KubeEtcdEncryptionConfig')
  if (!isWorker && !isEncrypted) {
    report('etcd encryption config is required on control plane machines')
  }
  const hasService = others.some((each) => kindOf(each) === 'DiscoveryServiceConfig')
  if (hasService && textAt(settings, 'cluster.id') === '') {
    report('DiscoveryServiceConfig: requires DiscoveryIdentityConfig')
  }
}

const forControlPlanes = [
  'KubeAPIServerConfig',
  'KubeAdmissionControlConfig',
  'KubeAggregatorCAConfig',
  'KubeAuditPolicyConfig',
  'KubeAuthenticationConfig',
  'KubeAuthorizerConfig',
  'KubeControllerManagerConfig',
  'KubeCoreDNSConfig',
  'KubeEtcdEncryptionConfig',
  'KubeFlannelCNIConfig',
  'KubeProxyConfig',
  'KubeSchedulerConfig',
  'KubeServiceAccountConfig',
  'KubeTalosAPIAccessConfig',
]

function validateDocument(document: Document, v1alpha1: Document, report: Report): void {
  const kind = kindOf(document)
  const named: Report = (problem) => report(`${kind}: ${problem}`)
  const sections = [
    ...(sectionsByKind[kind] ?? []),
    ...(kind === 'ResolverConfig' && isRecord(document['hostDNS'])
      ? ['machine.features.hostDNS']
      : []),
  ]
  for (const section of sections) {
    if (isSet(valueAt(v1alpha1, section))) named(`.${section} is already set in v1alpha1 config`)
  }
  rules[kind]?.(document, named)
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return !Array.isArray(value) || value.length > 0
}

const rules: Readonly<Record<string, (document: Document, report: Report) => void>> = {
  KubeAPIServerCAConfig: (document, report) => {
    if (isRecord(document['issuingCA'])) {
      checkPem(textAt(document, 'issuingCA.cert'), 'issuingCA.cert', report)
      if (!isPemBlock(textAt(document, 'issuingCA.key'))) report('issuingCA.key is not PEM')
    }
    for (const pem of textsAt(document, 'acceptedCAs')) checkPem(pem, 'acceptedCAs', report)
  },
  KubeAPIServerConfig: (document, report) => {
    needsImage(document, report)
    for (const name of namesOf(document['extraArgs'])) {
      if (homesOfArguments.test(name)) report(`extra argument "${name}" is not allowed`)
    }
  },
  KubeAggregatorCAConfig: (document, report) => {
    checkPem(textAt(document, 'issuingCA.cert'), 'issuingCA.cert', report)
  },
  KubeAuthorizerConfig: (document, report) => {
    const type = textAt(document, 'type')
    if (!['Node', 'RBAC', 'Webhook'].includes(type)) report(`unknown authorizer type "${type}"`)
  },
  KubeClusterConfig: (document, report) => {
    if (textAt(document, 'clusterName') === '') report('clusterName is required')
    const endpoint = textAt(document, 'endpoint')
    if (!/^https:\/\/[^/]+$/.test(endpoint)) report(`invalid endpoint: "${endpoint}"`)
  },
  KubeControllerManagerConfig: needsImage,
  KubeNetworkConfig: (document, report) => {
    const [pods, services] = [textsAt(document, 'podSubnets'), textsAt(document, 'serviceSubnets')]
    for (const [name, subnets] of Object.entries({ podSubnets: pods, serviceSubnets: services })) {
      if (subnets.length < 1 || subnets.length > 2)
        report(`${name}: one or two subnets are required`)
    }
    if (pods.length !== services.length) report('podSubnets and serviceSubnets differ in number')
  },
  KubeProxyConfig: needsImage,
  KubeSchedulerConfig: needsImage,
  KubeServiceAccountConfig: (document, report) => {
    if (!isPemBlock(textAt(document, 'issuer.privateKey'))) report('issuer.privateKey is not PEM')
    if (textAt(document, 'issuer.issuerURL') === '') report('issuer.issuerURL is required')
  },
  KubeletConfig: (document, report) => {
    needsImage(document, report)
    for (const name of namesOf(document['config'])) {
      if (fieldsOfTalos.includes(name)) report(`config field "${name}" can't be overridden`)
    }
  },
}

const homesOfArguments =
  /^(anonymous-auth|oidc-|authentication-config|authorization-(config|mode|webhook-))/

const fieldsOfTalos = [
  'apiVersion',
  'authentication',
  'authorization',
  'cgroupRoot',
  'kind',
  'kubeletCgroups',
  'port',
  'protectKernelDefaults',
  'resolvConf',
  'rotateCertificates',
  'seccompDefault',
  'staticPodPath',
  'systemCgroups',
]

function needsImage(document: Document, report: Report): void {
  if (document['enabled'] !== false && textAt(document, 'image') === '') report('image is required')
}

function namesOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : []
}

function checkPem(pem: string, field: string, report: Report): void {
  try {
    new X509Certificate(pem)
  } catch {
    report(`${field}: failed to parse PEM block`)
  }
}

function isPemBlock(text: string): boolean {
  return /^-----BEGIN [A-Z0-9 ]+-----\n/.test(text)
}

function kindOf(document: Document): string {
  return textAt(document, 'kind')
}
