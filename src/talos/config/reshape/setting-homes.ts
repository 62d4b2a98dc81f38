import type { ConfigPath, ConfigPlace } from '../validate/config-problem.ts'

/** How a value is written in its document, where that differs from the v1alpha1 one. */
export type HomeForm = 'pem' | 'inverse' | 'elsewhere'

/** A setting of the v1alpha1 document, and the document of the contract v1.14 that has it. */
interface SettingHome {
  readonly old: readonly string[]
  readonly kind: string
  readonly path: readonly string[]
  /**
   * `pem` is base64 of it in the old shape; `inverse` says `enabled` for `disabled`; `elsewhere` has no value that
   * could be read back, and is a place only.
   */
  readonly form?: HomeForm
}

/** Where each setting of the old shape stands in the documents that reshapeConfig makes. */
export const settingHomes: readonly SettingHome[] = [
  ...homes('DiscoveryIdentityConfig', {
    'cluster.id': 'clusterID',
    'cluster.secret': 'clusterSecret',
  }),
  ...homes('DiscoveryServiceConfig', {
    'cluster.discovery.registries.service.endpoint': 'endpoint',
  }),
  ...homes('UnattendedInstallConfig', {
    'machine.install.image': 'installer.image',
    'machine.install.wipe': 'provisioning.wipe',
  }),
  ...homes('UnattendedInstallConfig', { 'machine.install.disk': 'provisioning' }, 'elsewhere'),
  ...homes('ResolverConfig', { 'machine.features.hostDNS': 'hostDNS' }),
  ...homes('CRIBaseRuntimeSpecConfig', { 'machine.baseRuntimeSpecOverrides': 'overrides' }),
  ...homes('ImageCacheConfig', { 'machine.features.imageCache.localEnabled': 'local.enabled' }),
  ...homes('KubeClusterConfig', {
    'cluster.clusterName': 'clusterName',
    'cluster.controlPlane.endpoint': 'endpoint',
  }),
  ...homes('KubeNodeConfig', {
    'machine.kubelet.skipNodeRegistration': 'skipNodeRegistration',
    'machine.kubelet.registerWithFQDN': 'registerWithFQDN',
    'machine.kubelet.nodeIP.validSubnets': 'nodeIP.validSubnets',
    'machine.nodeLabels': 'labels',
    'machine.nodeAnnotations': 'annotations',
    'machine.nodeTaints': 'taints',
  }),
  ...homes('KubeletConfig', {
    'machine.kubelet.image': 'image',
    'machine.kubelet.extraConfig': 'config',
    'machine.kubelet.extraArgs': 'extraArgs',
    'machine.kubelet.clusterDNS': 'clusterDNS',
    'machine.kubelet.defaultRuntimeSeccompProfileEnabled': 'defaultRuntimeSeccompProfileEnabled',
  }),
  ...homes('KubeCredentialProviderConfig', {
    'machine.kubelet.credentialProviderConfig': 'configuration',
  }),
  ...homes('KubeNetworkConfig', {
    'cluster.network.dnsDomain': 'dnsDomain',
    'cluster.network.podSubnets': 'podSubnets',
    'cluster.network.serviceSubnets': 'serviceSubnets',
  }),
  ...homes(
    'KubeAPIServerCAConfig',
    { 'cluster.ca.crt': 'issuingCA.cert', 'cluster.ca.key': 'issuingCA.key' },
    'pem',
  ),
  ...homes('KubePrismConfig', { 'machine.features.kubePrism.port': 'port' }),
  ...homes(
    'KubeAggregatorCAConfig',
    { 'cluster.aggregatorCA.crt': 'issuingCA.cert', 'cluster.aggregatorCA.key': 'issuingCA.key' },
    'pem',
  ),
  ...homes(
    'KubeServiceAccountConfig',
    { 'cluster.serviceAccount.key': 'issuer.privateKey' },
    'pem',
  ),
  ...homes('KubeAuditPolicyConfig', { 'cluster.apiServer.auditPolicy': 'configuration' }),
  ...component('KubeAPIServerConfig', 'cluster.apiServer'),
  ...homes('KubeAPIServerConfig', {
    'cluster.apiServer.certSANs': 'certExtraSANs',
    'cluster.controlPlane.localAPIServerPort': 'apiPort',
  }),
  ...component('KubeControllerManagerConfig', 'cluster.controllerManager'),
  ...homes(
    'KubeControllerManagerConfig',
    { 'machine.controlPlane.controllerManager.disabled': 'enabled' },
    'inverse',
  ),
  ...component('KubeSchedulerConfig', 'cluster.scheduler'),
  ...homes('KubeSchedulerConfig', { 'cluster.scheduler.config': 'config' }),
  ...homes(
    'KubeSchedulerConfig',
    { 'machine.controlPlane.scheduler.disabled': 'enabled' },
    'inverse',
  ),
  ...homes('KubeProxyConfig', {
    'cluster.proxy.image': 'image',
    'cluster.proxy.mode': 'mode',
    'cluster.proxy.extraArgs': 'extraArgs',
  }),
  ...homes('KubeProxyConfig', { 'cluster.proxy.disabled': 'enabled' }, 'inverse'),
  ...homes('KubeFlannelCNIConfig', {
    'cluster.network.cni.flannel.extraArgs': 'extraArgs',
    'cluster.network.cni.flannel.kubeNetworkPoliciesEnabled': 'kubeNetworkPoliciesEnabled',
  }),
  ...homes('KubeCoreDNSConfig', { 'cluster.coreDNS.image': 'image' }),
  ...homes('KubeCoreDNSConfig', { 'cluster.coreDNS.disabled': 'enabled' }, 'inverse'),
  ...homes('KubeTalosAPIAccessConfig', {
    'machine.features.kubernetesTalosAPIAccess.allowedRoles': 'allowedRoles',
    'machine.features.kubernetesTalosAPIAccess.allowedKubernetesNamespaces':
      'allowedKubernetesNamespaces',
  }),
]

/** Documents of which each is an element of a list of the old shape. */
const elementKinds: Readonly<Record<string, readonly string[]>> = {
  KubeAdmissionControlConfig: ['cluster', 'apiServer', 'admissionControl'],
  KubeAuthorizerConfig: ['cluster', 'apiServer', 'authorizationConfig'],
}

/** Arguments that became a document. */
const argumentKinds: Readonly<Record<string, readonly string[]>> = {
  KubeAuthenticationConfig: ['cluster', 'apiServer', 'extraArgs'],
}

/** Where what stands at a place of a document that was converted stood in the old shape: nothing for any other place. */
export function oldPlaces({ kind, path }: ConfigPlace): ConfigPlace[] {
  const list = elementKinds[kind] ?? argumentKinds[kind]
  if (list) return [legacyPlace(list)]
  const own = settingHomes.filter((home) => home.kind === kind)
  const found = own.filter((home) => startsWith(path, home.path))
  if (found.length > 0) {
    return found.map((home) => legacyPlace([...home.old, ...path.slice(home.path.length)]))
  }
  return own.filter((home) => startsWith(home.path, path)).map(({ old }) => legacyPlace(old))
}

/** Where a setting of the old shape stands in the documents; undefined for one that has no place there. */
export function placeInDocuments(old: ConfigPath): ConfigPlace | undefined {
  const home = settingHomes.find((each) => startsWith(old, each.old))
  return home && { kind: home.kind, name: '', path: [...home.path, ...old.slice(home.old.length)] }
}

/**
 * A field of the v1alpha1 document, as differences name it, by where it stands in the documents: itself where it has no
 * place of its own there.
 */
export function fieldInDocuments(field: string): string {
  const manifest = /^cluster\.inlineManifests(\[.*\])\.contents$/.exec(field)
  if (manifest) return `KubeInlineManifestConfig${manifest[1]}.manifest`
  for (const { old, kind, path } of settingHomes) {
    const former = old.join('.')
    const rest = field.slice(former.length)
    if (field.startsWith(former) && /^([.[]|$)/.test(rest)) return [kind, ...path].join('.') + rest
  }
  return field
}

function legacyPlace(path: ConfigPath): ConfigPlace {
  return { kind: '', name: '', path }
}

function startsWith(path: ConfigPath, start: ConfigPath): boolean {
  return start.length <= path.length && start.every((step, index) => step === path[index])
}

function homes(
  kind: string,
  paths: Readonly<Record<string, string>>,
  form?: HomeForm,
): SettingHome[] {
  return Object.entries(paths).map(([old, path]) => ({
    old: old.split('.'),
    kind,
    path: path.split('.'),
    ...(form && { form }),
  }))
}

function component(kind: string, section: string): SettingHome[] {
  const parts = ['image', 'env', 'resources', 'extraArgs']
  return homes(kind, Object.fromEntries(parts.map((part) => [`${section}.${part}`, part])))
}
