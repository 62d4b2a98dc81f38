import type { ChangeEffect } from './change-effect.ts'
import type { NodeComponent } from './node-component.ts'

/** What takes up a field of a machine config, and all that stands below it. */
export interface TakeUp {
  readonly effect: ChangeEffect
  /** The components of Kubernetes on the node that restart for it; empty unless they do. */
  readonly restarts: readonly NodeComponent[]
}

const live: TakeUp = { effect: 'live', restarts: [] }
const nothing: TakeUp = { effect: 'nothing', restarts: [] }
const reboot: TakeUp = { effect: 'reboot', restarts: [] }
const reinstall: TakeUp = { effect: 'reinstall', restarts: [] }
const restarts = (...components: NodeComponent[]): TakeUp => ({
  effect: 'restart',
  restarts: components,
})

const apiServer = restarts('kube-apiserver')
const kubelet = restarts('kubelet')
const controlPlane = restarts('kube-apiserver', 'kube-controller-manager', 'kube-scheduler')
const everyComponent = restarts(
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
)

/**
 * The fields of the v1alpha1 document, by what takes them up: the controllers of Talos 1.13 that read each
 * of them, and `CanApplyImmediate` for what a running node refuses. The longest path that fits decides.
 * Certificates are one set for the static pods of a control plane: what changes any starts all of them again.
 * No etcd takes up its own settings before its next start, and only a reboot starts it.
 */
export const takeUpTable: Readonly<Record<string, TakeUp>> = {
  version: live,
  debug: live,
  persist: reboot,

  'machine.acceptedCAs': live,
  'machine.baseRuntimeSpecOverrides': reboot,
  'machine.ca': live,
  'machine.certSANs': live,
  'machine.controlPlane': restarts('kube-controller-manager', 'kube-scheduler'),
  'machine.disks': reboot,
  'machine.env': reboot,
  'machine.features': reboot,
  'machine.features.hostDNS': live,
  'machine.features.imageCache': live,
  'machine.features.kubePrism': everyComponent,
  'machine.features.kubernetesTalosAPIAccess': live,
  'machine.features.nodeAddressSortAlgorithm': live,
  'machine.files': reboot,
  'machine.install': nothing,
  'machine.install.disk': reinstall,
  'machine.install.diskSelector': reinstall,
  'machine.kernel': live,
  'machine.kubelet': kubelet,
  'machine.logging': live,
  'machine.network': live,
  'machine.nodeAnnotations': live,
  'machine.nodeLabels': live,
  'machine.nodeTaints': live,
  'machine.pods': live,
  'machine.registries': live,
  // Credentials among them: containerd reads those when it starts.
  'machine.registries.config': reboot,
  'machine.seccompProfiles': live,
  'machine.sysctls': live,
  'machine.sysfs': live,
  'machine.systemDiskEncryption': reinstall,
  'machine.time': live,
  'machine.token': reboot,
  'machine.type': reinstall,
  'machine.udev': reboot,

  'cluster.acceptedCAs': everyComponent,
  'cluster.adminKubeconfig': live,
  'cluster.aescbcEncryptionSecret': controlPlane,
  'cluster.aggregatorCA': controlPlane,
  'cluster.allowSchedulingOnControlPlanes': kubelet,
  'cluster.allowSchedulingOnMasters': kubelet,
  'cluster.apiServer': apiServer,
  'cluster.apiServer.certSANs': controlPlane,
  'cluster.ca': everyComponent,
  'cluster.clusterName': controlPlane,
  'cluster.controlPlane': everyComponent,
  'cluster.controllerManager': restarts('kube-controller-manager'),
  'cluster.coreDNS': nothing,
  'cluster.discovery': live,
  'cluster.etcd': reboot,
  'cluster.externalCloudProvider': restarts('kube-apiserver', 'kube-controller-manager', 'kubelet'),
  'cluster.extraManifestHeaders': live,
  'cluster.extraManifests': live,
  'cluster.id': live,
  'cluster.inlineManifests': live,
  'cluster.network': everyComponent,
  'cluster.network.cni': live,
  'cluster.proxy': nothing,
  'cluster.scheduler': restarts('kube-scheduler'),
  'cluster.secret': live,
  'cluster.secretboxEncryptionSecret': controlPlane,
  'cluster.serviceAccount': controlPlane,
  'cluster.token': everyComponent,
}

/** Documents of their own apply as they run, but for these; by kind, and by kind and field. */
export const documentTakeUps: Readonly<Record<string, TakeUp>> = {
  'VolumeConfig.encryption': reinstall,
  'VolumeConfig.provisioning': reinstall,
  // A volume is mounted as the node boots.
  'VolumeConfig.mount': reboot,
  RegistryAuthConfig: reboot,

  CRIBaseRuntimeSpecConfig: reboot,
  SecurityProfileConfig: reboot,
  UnattendedInstallConfig: nothing,
  'UnattendedInstallConfig.provisioning': reinstall,

  KubeAPIServerConfig: apiServer,
  'KubeAPIServerConfig.certExtraSANs': controlPlane,
  'KubeAPIServerConfig.apiPort': everyComponent,
  KubeAPIServerCAConfig: everyComponent,
  KubeAdmissionControlConfig: apiServer,
  KubeAggregatorCAConfig: controlPlane,
  KubeAuditPolicyConfig: apiServer,
  KubeAuthenticationConfig: apiServer,
  KubeAuthorizerConfig: apiServer,
  KubeClusterConfig: everyComponent,
  'KubeClusterConfig.clusterName': controlPlane,
  KubeControllerManagerConfig: restarts('kube-controller-manager'),
  KubeCoreDNSConfig: nothing,
  KubeCredentialProviderConfig: kubelet,
  KubeEtcdEncryptionConfig: apiServer,
  KubeNetworkConfig: everyComponent,
  'KubeNodeConfig.nodeIP': kubelet,
  'KubeNodeConfig.registerWithFQDN': kubelet,
  'KubeNodeConfig.skipNodeRegistration': kubelet,
  // A kubelet registers with them too.
  'KubeNodeConfig.taints': kubelet,
  KubePrismConfig: everyComponent,
  KubeProxyConfig: nothing,
  KubeSchedulerConfig: restarts('kube-scheduler'),
  KubeServiceAccountConfig: controlPlane,
  KubeletConfig: kubelet,
}
