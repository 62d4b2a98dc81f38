import type { Json, JsonObject } from '../../../lib/json.ts'
import type { ConfigDocument } from '../config-document.ts'
import { textAt, valueAt } from '../validate/read-config.ts'
import { authenticationDocument } from './authentication-document.ts'
import { given, ifAny, newDocument } from './new-document.ts'
import { takePem } from './node-documents.ts'
import type { OldShape } from './old-shape.ts'

/** Documents that a control plane alone may have; with or without what only the contract v1.14 has. */
export function controlPlaneDocuments(old: OldShape, hasAdditions: boolean): ConfigDocument[] {
  return [
    ...aggregatorDocuments(old),
    ...admissionDocuments(old),
    ...ifAny('KubeAuditPolicyConfig', {
      configuration: old.takeObject('cluster.apiServer.auditPolicy'),
    }),
    authenticationDocument(old, hasAdditions),
    ...authorizerDocuments(old),
    ...etcdEncryptionDocuments(old),
    ...serviceAccountDocuments(old),
    apiServerDocument(old),
    componentDocument(old, 'KubeControllerManagerConfig', 'controllerManager'),
    componentDocument(old, 'KubeSchedulerConfig', 'scheduler'),
    proxyDocument(old),
    ...flannelDocuments(old),
    coreDnsDocument(old),
    ...talosAccessDocuments(old),
  ]
}

/** On a worker these mean nothing, and the documents are refused there. */
const forControlPlanesAlone = [
  'cluster.aggregatorCA',
  'cluster.apiServer',
  'cluster.controlPlane.localAPIServerPort',
  'cluster.controllerManager',
  'cluster.coreDNS',
  'cluster.network.cni',
  'cluster.proxy',
  'cluster.scheduler',
  'cluster.secretboxEncryptionSecret',
  'cluster.aescbcEncryptionSecret',
  'cluster.serviceAccount',
  'machine.controlPlane',
  'machine.features.kubernetesTalosAPIAccess',
]

export function dropControlPlane(old: OldShape): void {
  for (const section of forControlPlanesAlone) old.take(section)
}

function aggregatorDocuments(old: OldShape): ConfigDocument[] {
  const cert = takePem(old, 'cluster.aggregatorCA.crt')
  const key = takePem(old, 'cluster.aggregatorCA.key')
  const issuingCA = given({ cert, key })
  return cert === undefined ? [] : [newDocument('KubeAggregatorCAConfig', { issuingCA })]
}

function admissionDocuments(old: OldShape): ConfigDocument[] {
  const plugins = old.takeList('cluster.apiServer.admissionControl') ?? []
  return plugins
    .filter((plugin) => plugin !== null)
    .map((plugin) =>
      newDocument('KubeAdmissionControlConfig', {
        name: textAt(plugin, 'name'),
        configuration: valueAt(plugin, 'configuration') ?? {},
      }),
    )
}

const nodeAuthorizer: Json = { name: 'node', type: 'Node' }
const rbacAuthorizer: Json = { name: 'rbac', type: 'RBAC' }

/** With the two that Talos put among them by itself, where it put them. */
function authorizerDocuments(old: OldShape): ConfigDocument[] {
  const asked = (old.takeList('cluster.apiServer.authorizationConfig') ?? []).filter(
    (each) => each !== null,
  )
  const has = (type: string) => asked.some((each) => textAt(each, 'type') === type)
  const withNode = has('Node') ? asked : [nodeAuthorizer, ...asked]
  const all = has('RBAC') ? withNode : withNode.toSpliced(1, 0, rbacAuthorizer)
  return all.map((each) =>
    newDocument('KubeAuthorizerConfig', {
      name: textAt(each, 'name'),
      type: textAt(each, 'type'),
      webhook: valueAt(each, 'webhook') ?? undefined,
    }),
  )
}

/** Providers in the order, and keys by the names, by which secrets in etcd were written until now. */
function etcdEncryptionDocuments(old: OldShape): ConfigDocument[] {
  const secretbox = old.takeText('cluster.secretboxEncryptionSecret')
  const aescbc = old.takeText('cluster.aescbcEncryptionSecret')
  const providers: JsonObject[] = [
    ...(secretbox ? [{ secretbox: { keys: [{ name: 'key2', secret: secretbox }] } }] : []),
    ...(aescbc ? [{ aescbc: { keys: [{ name: 'key1', secret: aescbc }] } }] : []),
  ]
  if (providers.length === 0) return []
  // Last as before: what was ever written in plain text can still be read.
  const config = {
    resources: [{ providers: [...providers, { identity: {} }], resources: ['secrets'] }],
  }
  return [newDocument('KubeEtcdEncryptionConfig', { config })]
}

function serviceAccountDocuments(old: OldShape): ConfigDocument[] {
  const privateKey = takePem(old, 'cluster.serviceAccount.key')
  const issuerURL = old.see('cluster.controlPlane.endpoint')
  return privateKey === undefined
    ? []
    : [newDocument('KubeServiceAccountConfig', { issuer: given({ privateKey, issuerURL }) })]
}

function apiServerDocument(old: OldShape): ConfigDocument {
  // Did nothing since Kubernetes has no such policies.
  old.take('cluster.apiServer.disablePodSecurityPolicy')
  return newDocument('KubeAPIServerConfig', {
    ...partsOf(old, 'cluster.apiServer'),
    extraArgs: takeArguments(old, 'cluster.apiServer.extraArgs', isKeptArgument),
    certExtraSANs: old.takeList('cluster.apiServer.certSANs'),
    apiPort: old.take('cluster.controlPlane.localAPIServerPort'),
  })
}

/** Authentication and authorization have documents of their own, and Talos refuses them as arguments. */
const refusedArguments =
  /^(anonymous-auth|oidc-|authentication-config|authorization-(config|mode|webhook-))/

function isKeptArgument(name: string): boolean {
  return !refusedArguments.test(name)
}

function takeArguments(
  old: OldShape,
  path: string,
  isKept: (name: string) => boolean,
): JsonObject | undefined {
  const all = old.see(path)
  const names = typeof all === 'object' && all !== null ? Object.keys(all).filter(isKept) : []
  const taken = names.flatMap((name) => {
    const value = old.takeKey(path, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return taken.length > 0 ? Object.fromEntries(taken) : undefined
}

function componentDocument(
  old: OldShape,
  kind: string,
  section: 'controllerManager' | 'scheduler',
): ConfigDocument {
  const isDisabled = old.takeFlag(`machine.controlPlane.${section}.disabled`)
  return newDocument(kind, {
    enabled: isDisabled ? false : undefined,
    ...partsOf(old, `cluster.${section}`),
    extraArgs: old.takeObject(`cluster.${section}.extraArgs`),
    ...(section === 'scheduler' && { config: old.takeObject('cluster.scheduler.config') ?? {} }),
  })
}

function partsOf(old: OldShape, section: string): Record<string, Json | undefined> {
  return {
    image: old.takeText(`${section}.image`),
    env: old.takeObject(`${section}.env`),
    resources: old.takeObject(`${section}.resources`),
  }
}

function proxyDocument(old: OldShape): ConfigDocument {
  const isDisabled = old.takeFlag('cluster.proxy.disabled')
  return newDocument('KubeProxyConfig', {
    enabled: isDisabled ? false : undefined,
    image: old.takeText('cluster.proxy.image'),
    mode: old.takeText('cluster.proxy.mode'),
    config: {},
    extraArgs: old.takeObject('cluster.proxy.extraArgs'),
  })
}

/** A network of one's own is a manifest, and has a document where its user writes it. */
function flannelDocuments(old: OldShape): ConfigDocument[] {
  const name = old.see('cluster.network.cni.name') ?? 'flannel'
  if (name === 'custom') return []
  old.take('cluster.network.cni.name')
  if (name === 'none') old.take('cluster.network.cni')
  if (name !== 'flannel') return []
  return [
    newDocument('KubeFlannelCNIConfig', {
      backendType: 'vxlan',
      backendPort: 4789,
      extraArgs: old.takeList('cluster.network.cni.flannel.extraArgs'),
      kubeNetworkPoliciesEnabled: old.takeFlag(
        'cluster.network.cni.flannel.kubeNetworkPoliciesEnabled',
      ),
    }),
  ]
}

function coreDnsDocument(old: OldShape): ConfigDocument {
  const isDisabled = old.takeFlag('cluster.coreDNS.disabled') ?? false
  return newDocument('KubeCoreDNSConfig', {
    enabled: !isDisabled,
    image: old.takeText('cluster.coreDNS.image'),
  })
}

function talosAccessDocuments(old: OldShape): ConfigDocument[] {
  const section = 'machine.features.kubernetesTalosAPIAccess'
  const isEnabled = old.takeFlag(`${section}.enabled`) ?? false
  const allowedRoles = old.takeList(`${section}.allowedRoles`)
  const allowedKubernetesNamespaces = old.takeList(`${section}.allowedKubernetesNamespaces`)
  const fields = { allowedRoles, allowedKubernetesNamespaces }
  return isEnabled ? [newDocument('KubeTalosAPIAccessConfig', fields)] : []
}
