import { X509Certificate } from 'node:crypto'
import { readPrivateKey } from '../../pki.ts'
import { kubernetesRefusal, type TalosVersion } from '../talos-version.ts'
import { isRecord, listAt, mapAt, textAt, textsAt, valueAt } from './config-value.ts'
import { decodePem, imageTag } from './node-config.ts'
import type { ConfigDocuments } from './parse-config.ts'
import { validateDocuments } from './validate-documents.ts'
import { validateShape } from './validate-shape.ts'

/** Tells each thing that is wrong. */
type Report = (problem: string) => void

/** What a node says against a config that it could read; empty where it takes it. */
export function validateConfig(documents: ConfigDocuments, version: TalosVersion): string[] {
  const { settings } = documents
  const problems: string[] = []
  const report: Report = (problem) => problems.push(problem)
  if (settings !== undefined) {
    if (!isRecord(settings['machine'])) return ['machine instructions are required']
    validateCluster(settings, report)
    validateMachine(settings, report)
    if (settings['persist'] === false) report('.persist should be enabled')
  }
  validateShape(documents, version, report)
  validateDocuments(documents, version, report)
  return problems
}

/** What only a running node can say: whether it runs the Kubernetes that is asked of it. */
export function validateAtRuntime(documents: ConfigDocuments, version: TalosVersion): string[] {
  const { settings } = documents
  if (settings === undefined) return []
  const images: [string, string][] = [['kubelet', textAt(settings, 'machine.kubelet.image')]]
  if (textAt(settings, 'machine.type') !== 'worker') {
    for (const [field, name] of controlPlaneImages) {
      images.push([name, textAt(settings, `cluster.${field}.image`)])
    }
  }
  return images
    .filter(([, image]) => image !== '')
    .flatMap(([name, image]) => {
      const tag = imageTag(image).replace(/-(fat|slim)$/, '')
      const reason = /^v?\d+\.\d+\.\d+/.test(tag)
        ? kubernetesRefusal(version, tag.replace(/^v/, ''))
        : `failed to parse Kubernetes version from image reference "${image}"`
      return reason === undefined ? [] : [`${name} image is not valid: ${reason}`]
    })
}

const controlPlaneImages = [
  ['apiServer', 'kube-apiserver'],
  ['controllerManager', 'kube-controller-manager'],
  ['scheduler', 'kube-scheduler'],
] as const

/** Several problems in one text, as Go's multierror prints them. */
export function joinProblems(problems: readonly string[]): string {
  const count = problems.length === 1 ? '1 error' : `${problems.length} errors`
  return `${count} occurred:\n${problems.map((problem) => `\t* ${problem}`).join('\n')}\n\n`
}

function validateMachine(config: Readonly<Record<string, unknown>>, report: Report): void {
  const type = textAt(config, 'machine.type')
  const hasCa = textAt(config, 'machine.ca.crt') !== ''
  const hasKey = textAt(config, 'machine.ca.key') !== ''
  const accepted = listAt(config, 'machine.acceptedCAs').length > 0
  if (type === 'controlplane' || type === 'init') {
    if (!hasCa) report('issuing CA is required (.machine.ca)')
    else if (!hasKey) report('issuing CA key is required for controlplane nodes (.machine.ca.key)')
  } else if (type === 'worker') {
    validateWorker(config, report)
  } else {
    report(`unknown machine type "${type}"`)
  }
  if (!hasCa && !accepted) {
    report('issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)')
  }
  if (textAt(config, 'machine.token') === '') report('trustd token is invalid (.machine.token)')
  validateAuthority(config, 'machine.ca', report)
  validateNode(config, report)
}

function validateWorker(config: Readonly<Record<string, unknown>>, report: Report): void {
  if (textAt(config, 'machine.ca.key') !== '') {
    report('issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)')
  }
  if (textAt(config, 'cluster.ca.key') !== '') {
    report('issuing Kubernetes API CA key is not allowed on non-controlplane nodes (.cluster.ca)')
  }
  if (isRecord(valueAt(config, 'cluster.etcd'))) {
    report('etcd config is only allowed on control plane machines')
  }
  for (const device of listAt(config, 'machine.network.interfaces')) {
    if (isRecord(valueAt(device, 'vip'))) {
      report('virtual (shared) IP is not allowed on non-controlplane nodes')
    }
  }
}

const labelName =
  /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/

function validateNode(config: Readonly<Record<string, unknown>>, report: Report): void {
  for (const [key, value] of Object.entries(mapAt(config, 'machine.nodeLabels'))) {
    if (!labelName.test(key) || !labelValue.test(value)) {
      report(`invalid machine node labels: "${key}: ${value}"`)
    }
  }
  for (const [key, value] of Object.entries(mapAt(config, 'machine.nodeTaints'))) {
    const effect = value.includes(':') ? value.split(':')[1] : value
    if (!['NoSchedule', 'PreferNoSchedule', 'NoExecute'].includes(effect ?? '')) {
      report(`invalid machine node taints: "${key}: ${value}": invalid taint effect`)
    }
  }
  const hostDns = valueAt(config, 'machine.features.hostDNS')
  if (valueAt(hostDns, 'forwardKubeDNSToHost') === true && valueAt(hostDns, 'enabled') !== true) {
    report(
      'feature hostDNS.forwardKubeDNSToHost requires hostDNS.enabled to be true (.machine.features.hostDNS)',
    )
  }
}

function validateCluster(config: Readonly<Record<string, unknown>>, report: Report): void {
  const endpoint = textAt(config, 'cluster.controlPlane.endpoint')
  if (!isRecord(config['cluster']) || endpoint === '') {
    report('cluster controlplane endpoint is required')
    return
  }
  if (!/^https:\/\/[^/]+$/.test(endpoint) || !URL.canParse(endpoint)) {
    report(`invalid controlplane endpoint: "${endpoint}"`)
  }
  if (valueAt(config, 'cluster.discovery.enabled') !== false) validateDiscovery(config, report)
  if (textAt(config, 'cluster.token') === '') report('bootstrap token is required (.cluster.token)')
  if (textAt(config, 'cluster.ca.crt') === '') report('cluster CA is required (.cluster.ca)')
  validateAuthority(config, 'cluster.ca', report)
  if (textAt(config, 'machine.type') !== 'worker') validateControlPlane(config, report)
  const cloud = valueAt(config, 'cluster.externalCloudProvider')
  if (valueAt(cloud, 'enabled') !== true && listAt(cloud, 'manifests').length > 0) {
    report('external cloud provider is disabled, but manifests are provided')
  }
  validateManifests(config, report)
}

function validateManifests(config: Readonly<Record<string, unknown>>, report: Report): void {
  const names = listAt(config, 'cluster.inlineManifests').map((item) => textAt(item, 'name'))
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) report(`inline manifest name "${name}" is duplicate`)
    if (name.trim() === '') report("inline manifest name can't be empty")
  }
}

function validateDiscovery(config: Readonly<Record<string, unknown>>, report: Report): void {
  if (valueAt(config, 'cluster.discovery.registries.service.disabled') === true) return
  if (textAt(config, 'cluster.id') === '') report('cluster discovery service requires .cluster.id')
  if (textAt(config, 'cluster.secret') === '') {
    report('cluster discovery service requires .cluster.secret')
  }
}

function validateControlPlane(config: Readonly<Record<string, unknown>>, report: Report): void {
  const cni = textAt(config, 'cluster.network.cni.name')
  if (!['', 'flannel', 'custom', 'none'].includes(cni)) {
    report('cni name should be one of ["flannel", "custom", "none"]')
  }
  if (cni !== 'custom' && textsAt(config, 'cluster.network.cni.urls').length > 0) {
    report(`"urls" field should be empty for "${cni || 'flannel'}" CNI`)
  }
  for (const [path, what] of controlPlaneAuthorities) {
    if (textAt(config, `${path}.key`) === '') report(`${what} is required (.${path})`)
    validateAuthority(config, path, report)
  }
}

const controlPlaneAuthorities = [
  ['cluster.ca', 'cluster CA key'],
  ['cluster.aggregatorCA', 'aggregator CA'],
  ['cluster.serviceAccount', 'service account key'],
  ['cluster.etcd.ca', 'etcd CA'],
] as const

function validateAuthority(config: unknown, path: string, report: Report): void {
  const crt = textAt(config, `${path}.crt`)
  const key = textAt(config, `${path}.key`)
  try {
    const certificate = crt === '' ? undefined : new X509Certificate(decodePem(crt))
    const privateKey = key === '' ? undefined : readPrivateKey(decodePem(key))
    if (certificate && privateKey && !certificate.checkPrivateKey(privateKey)) {
      report(`key does not belong to the certificate (.${path})`)
    }
  } catch {
    report(`failed to parse PEM block (.${path})`)
  }
}
