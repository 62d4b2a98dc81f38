/**
 * The documents with which Talos 1.14 replaces sections of the v1alpha1 document: where each of their fields stood
 * before (facts: what its generator writes for both contracts).
 */
export const formerPlaces: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CRIBaseRuntimeSpecConfig: { overrides: 'machine.baseRuntimeSpecOverrides' },
  DiscoveryIdentityConfig: { clusterID: 'cluster.id', clusterSecret: 'cluster.secret' },
  DiscoveryServiceConfig: { endpoint: 'cluster.discovery.registries.service.endpoint' },
  ImageCacheConfig: { 'local.enabled': 'machine.features.imageCache.localEnabled' },
  KubeAPIServerConfig: {
    ...component('cluster.apiServer'),
    certExtraSANs: 'cluster.apiServer.certSANs',
    apiPort: 'cluster.controlPlane.localAPIServerPort',
  },
  KubeAuditPolicyConfig: { configuration: 'cluster.apiServer.auditPolicy' },
  KubeClusterConfig: {
    clusterName: 'cluster.clusterName',
    endpoint: 'cluster.controlPlane.endpoint',
  },
  KubeControllerManagerConfig: component('cluster.controllerManager'),
  KubeCoreDNSConfig: { image: 'cluster.coreDNS.image' },
  KubeCredentialProviderConfig: { configuration: 'machine.kubelet.credentialProviderConfig' },
  KubeNetworkConfig: {
    dnsDomain: 'cluster.network.dnsDomain',
    podSubnets: 'cluster.network.podSubnets',
    serviceSubnets: 'cluster.network.serviceSubnets',
  },
  KubeNodeConfig: {
    labels: 'machine.nodeLabels',
    annotations: 'machine.nodeAnnotations',
    taints: 'machine.nodeTaints',
    'nodeIP.validSubnets': 'machine.kubelet.nodeIP.validSubnets',
    registerWithFQDN: 'machine.kubelet.registerWithFQDN',
    skipNodeRegistration: 'machine.kubelet.skipNodeRegistration',
  },
  KubePrismConfig: { port: 'machine.features.kubePrism.port' },
  KubeProxyConfig: {
    ...component('cluster.proxy'),
    mode: 'cluster.proxy.mode',
  },
  KubeSchedulerConfig: { ...component('cluster.scheduler'), config: 'cluster.scheduler.config' },
  KubeTalosAPIAccessConfig: {
    allowedRoles: 'machine.features.kubernetesTalosAPIAccess.allowedRoles',
    allowedKubernetesNamespaces:
      'machine.features.kubernetesTalosAPIAccess.allowedKubernetesNamespaces',
  },
  KubeletConfig: {
    image: 'machine.kubelet.image',
    config: 'machine.kubelet.extraConfig',
    extraArgs: 'machine.kubelet.extraArgs',
    clusterDNS: 'machine.kubelet.clusterDNS',
    defaultRuntimeSeccompProfileEnabled: 'machine.kubelet.defaultRuntimeSeccompProfileEnabled',
  },
  ResolverConfig: { hostDNS: 'machine.features.hostDNS' },
  UnattendedInstallConfig: { 'installer.image': 'machine.install.image' },
}

/** Fields with a PEM text, which the v1alpha1 document has in base64. */
export const formerAuthorities: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  KubeAPIServerCAConfig: { 'issuingCA.cert': 'cluster.ca.crt', 'issuingCA.key': 'cluster.ca.key' },
  KubeAggregatorCAConfig: {
    'issuingCA.cert': 'cluster.aggregatorCA.crt',
    'issuingCA.key': 'cluster.aggregatorCA.key',
  },
  KubeServiceAccountConfig: { 'issuer.privateKey': 'cluster.serviceAccount.key' },
}

function component(section: string): Record<string, string> {
  return {
    image: `${section}.image`,
    extraArgs: `${section}.extraArgs`,
    env: `${section}.env`,
    resources: `${section}.resources`,
  }
}
