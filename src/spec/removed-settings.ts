import type { Component } from './component.ts'
import { parseVersion } from './version-matrix.ts'

/** What a minor release of Kubernetes no longer knows, and refuses to start with. */
interface Removal {
  /** The minor of Kubernetes 1 that is without it. */
  readonly minor: number
  readonly flags?: Readonly<Partial<Record<Component, readonly string[]>>>
  /** Common to all components. */
  readonly featureGates?: readonly string[]
  readonly admissionPlugins?: readonly string[]
}

/** From Kubernetes's changelogs and list of removed feature gates, as talosctl checks them; for the releases that Talos runs. */
const removals: readonly Removal[] = [
  {
    minor: 28,
    featureGates: [
      'AdvancedAuditing',
      'CSIMigrationGCE',
      'CSIStorageCapacity',
      'DelegateFSGroupToCSIDriver',
      'DevicePlugins',
      'DisableAcceleratorUsageMetrics',
      'EndpointSliceTerminatingCondition',
      'KubeletCredentialProviders',
      'MixedProtocolLBService',
      'ServiceIPStaticSubrange',
      'ServiceInternalTrafficPolicy',
      'WindowsHostProcessContainers',
    ],
  },
  {
    minor: 30,
    admissionPlugins: ['SecurityContextDeny'],
    featureGates: [
      'ExpandedDNSConfig',
      'ExperimentalHostUserNamespaceDefaultingGate',
      'IPTablesOwnershipCleanup',
      'KubeletPodResources',
      'KubeletPodResourcesGetAllocatable',
      'MinimizeIPTablesRestore',
      'ProxyTerminatingEndpoints',
      'RemoveSelfLink',
    ],
  },
  {
    minor: 31,
    flags: {
      kubelet: ['iptables-drop-bit', 'iptables-masquerade-bit', 'keep-terminated-pod-volumes'],
      'kube-controller-manager': [
        'horizontal-pod-autoscaler-downscale-delay',
        'horizontal-pod-autoscaler-upscale-delay',
        'volume-host-allow-local-loopback',
        'volume-host-cidr-denylist',
      ],
    },
    featureGates: [
      'APIPriorityAndFairness',
      'CSINodeExpandSecret',
      'ConsistentHTTPGetHandlers',
      'DefaultHostNetworkHostPortsInPodTemplates',
      'ServiceNodePortStaticSubrange',
      'SkipReadOnlyValidationGCE',
    ],
  },
  {
    minor: 32,
    featureGates: [
      'AllowServiceLBStatusOnNonLB',
      'CloudDualStackNodeIPs',
      'DRAControlPlaneController',
      'HPAContainerMetrics',
      'KMSv2',
      'KMSv2KDF',
      'LegacyServiceAccountTokenCleanUp',
      'MinDomainsInPodTopologySpread',
      'NewVolumeManagerReconstruction',
      'NodeOutOfServiceVolumeDetach',
      'ServerSideApply',
      'ServerSideFieldValidation',
      'StableLoadBalancerNodeSet',
      'ValidatingAdmissionPolicy',
      'ZeroLimitedNominalConcurrencyShares',
    ],
  },
  {
    minor: 33,
    flags: { 'kube-apiserver': ['cloud-config'] },
    featureGates: [
      'AppArmor',
      'AppArmorFields',
      'CPUManager',
      'DisableCloudProviders',
      'DisableKubeletCloudCredentialProviders',
      'JobPodFailurePolicy',
      'KubeProxyDrainingTerminatingNodes',
      'PDBUnhealthyPodEvictionPolicy',
      'PersistentVolumeLastPhaseTransitionTime',
      'VolumeCapacityPriority',
    ],
  },
  {
    minor: 34,
    flags: { kubelet: ['cloud-config'] },
    featureGates: ['DevicePluginCDIDevices', 'LegacySidecarContainers', 'PodDisruptionConditions'],
  },
  {
    minor: 35,
    flags: { kubelet: ['pod-infra-container-image'] },
    featureGates: ['SizeMemoryBackedVolumes', 'UserNamespacesHostNetworkSupport'],
  },
  {
    minor: 36,
    featureGates: [
      'CSIMigrationPortworx',
      'InTreePluginPortworxUnregister',
      'WatchFromStorageWithoutResourceVersion',
    ],
  },
]

/** Something in a component's arguments that the new version does not know. */
export interface RemovedSetting {
  /** The argument, without leading hyphens. */
  readonly argument: string
  /** As half a sentence: `the feature gate KMSv2`. */
  readonly what: string
  /** `1.32`. */
  readonly since: string
}

/**
 * What `args` of a component hold that is gone on the way from one version to another (without v); with
 * any of it the component would not start. Knows what Kubernetes removed between 1.27 and 1.36.
 */
export function removedSettings(
  component: Component,
  args: Readonly<Record<string, string>>,
  { from, to }: { readonly from: string; readonly to: string },
): RemovedSetting[] {
  const oldest = parseVersion(from)?.minor ?? 0
  const newest = parseVersion(to)?.minor ?? 0
  const listed = (argument: string) =>
    (args[argument] ?? '').split(',').map((entry) => entry.split('=')[0]?.trim() ?? '')
  const gates = listed('feature-gates')
  return removals
    .filter(({ minor }) => minor > oldest && minor <= newest)
    .flatMap(({ minor, flags = {}, featureGates = [], admissionPlugins = [] }) => {
      const since = `1.${minor}`
      const plugins = ['enable-admission-plugins', 'disable-admission-plugins'].flatMap(
        (argument) =>
          admissionPlugins
            .filter((name) => listed(argument).includes(name))
            .map((name) => ({ argument, what: `the admission plugin ${name}`, since })),
      )
      return [
        ...(flags[component] ?? [])
          .filter((flag) => flag in args)
          .map((flag) => ({ argument: flag, what: `the argument ${flag}`, since })),
        ...featureGates
          .filter((gate) => gates.includes(gate))
          .map((gate) => ({
            argument: 'feature-gates',
            what: `the feature gate ${gate}`,
            since,
          })),
        ...plugins,
      ]
    })
}
