import { valuesSchema } from './values-schema.ts'

/** Names of the values of Cilium's chart 1.19, at the levels that this suite sets. */
export const ciliumSchema = valuesSchema({
  known: `MTU affinity agent agentNotReadyTaintKey aksbyocni alibabacloud annotateK8sNode annotations
    apiRateLimit authentication autoDirectNodeRoutes azure bandwidthManager bgpControlPlane bpf
    bpfClockProbe certgen cgroup ciliumEndpointSlice cleanBpfState cleanState cluster clustermesh cni
    commonLabels configDriftDetection connectivityProbeFrequencyRatio conntrackGCInterval
    conntrackGCMaxInterval crdWaitTimeout daemon dashboards debug defaultLBServiceIPAM
    directRoutingSkipUnreachable disableEndpointCRD dnsPolicy dnsProxy egressGateway
    enableCriticalPriorityClass enableIPv4BIGTCP enableIPv4Masquerade enableIPv6BIGTCP
    enableIPv6Masquerade enableInternalTrafficPolicy enableLBIPAM enableMasqueradeRouteSource
    enableNoServiceEndpointsRoutable enableNonDefaultDenyPolicies enableXTSocketFallback encryption
    endpointHealthChecking endpointLockdownOnMapOverflow endpointPolicyUpdateTimeoutDuration
    endpointRoutes eni envoy envoyConfig etcd extraArgs extraConfig extraContainers extraEnv
    extraHostPathMounts extraInitContainers extraVolumeMounts extraVolumes forceDeviceDetection
    gatewayAPI gke global healthCheckICMPFailureThreshold healthChecking healthPort hostFirewall hubble
    identityAllocationMode identityChangeGracePeriod identityManagementMode image imagePullSecrets
    ingressController initResources installNoConntrackIptablesRules ipMasqAgent ipam
    iptablesRandomFully ipv4 ipv4NativeRoutingCIDR ipv6 ipv6NativeRoutingCIDR k8s
    k8sClientExponentialBackoff k8sClientRateLimit k8sNetworkPolicy k8sServiceHost k8sServiceHostRef
    k8sServiceLookupConfigMapName k8sServiceLookupNamespace k8sServicePort keepDeprecatedLabels
    keepDeprecatedProbes kubeConfigPath kubeProxyReplacement kubeProxyReplacementHealthzBindAddr
    l2NeighDiscovery l2announcements l2podAnnouncements l7Proxy livenessProbe loadBalancer
    localRedirectPolicies localRedirectPolicy logSystemLoad maglev monitor name namespaceOverride nat
    nat46x64Gateway nodeIPAM nodePort nodeSelector nodeSelectorLabels nodeinit operator pmtuDiscovery
    podAnnotations podLabels podSecurityContext policyCIDRMatchMode policyDenyResponse
    policyEnforcementMode pprof preflight priorityClassName prometheus rbac readinessProbe
    resourceQuotas resources rollOutCiliumPods routingMode scheduling sctp secretsNamespaceAnnotations
    secretsNamespaceLabels securityContext serviceAccounts serviceNoBackendResponse sleepAfterInit
    socketLB standaloneDnsProxy startupProbe synchronizeK8sNodes sysctlfix
    terminationGracePeriodSeconds tls tmpVolume tolerations tunnelPort tunnelProtocol
    tunnelSourcePortRange underlayProtocol updateStrategy upgradeCompatibility vtep waitForKubeProxy
    wellKnownIdentities`,
  typed: {
    MTU: 'integer',
    installNoConntrackIptablesRules: 'boolean',
    ipv4NativeRoutingCIDR: 'string',
    k8sServiceHost: 'string',
    k8sServicePort: ['string', 'integer'],
    kubeProxyReplacement: ['string', 'boolean'],
    routingMode: 'string',
  },
  nested: {
    ipam: {
      known: `ciliumNodeUpdateRate installUplinkRoutesForDelegatedIPAM mode multiPoolPreAllocation
        nodeSpec operator`,
    },
    k8s: { known: 'requireIPv4PodCIDR requireIPv6PodCIDR' },
    bpf: {
      known: `authMapMax autoMount ctAccounting ctAnyMax ctTcpMax datapathMode
        disableExternalIPMitigation distributedLRU enableTCX events hostLegacyRouting
        lbAlgorithmAnnotation lbExternalClusterIP lbMapMax lbModeAnnotation lbSourceRangeAllTypes
        mapDynamicSizeRatio masquerade monitorAggregation monitorFlags monitorInterval
        monitorTraceIPOption natMax neighMax nodeMapMax policyMapMax
        policyMapPressureMetricsThreshold policyStatsMapMax preallocateMaps root tproxy vlanBypass`,
      typed: { masquerade: 'boolean' },
    },
    loadBalancer: { known: 'acceleration algorithm dsrDispatch l7 mode serviceTopology' },
    dnsProxy: {
      known: `dnsRejectResponseCode enableDnsCompression enableTransparentMode
        endpointMaxIpPerHostname idleConnectionGracePeriod maxDeferredConnectionDeletes minTtl
        preAllocateIdentities preCache proxyPort proxyResponseMaxDelay socketLingerTimeout`,
    },
    cgroup: {
      known: 'autoMount hostRoot',
      nested: { autoMount: { known: 'enabled resources', typed: { enabled: 'boolean' } } },
    },
    securityContext: {
      known: 'allowPrivilegeEscalation capabilities privileged seLinuxOptions',
      nested: {
        capabilities: {
          known: 'applySysctlOverwrites ciliumAgent cleanCiliumState mountCgroup',
          typed: { ciliumAgent: 'array', cleanCiliumState: 'array' },
        },
      },
    },
    hubble: {
      known: `annotations dropEventEmitter enabled export listenAddress metrics
        networkPolicyCorrelation peerService preferIpv6 redact relay skipUnknownCGroupIDs socketPath
        tls ui`,
      nested: {
        tls: {
          known: 'auto enabled server',
          nested: {
            auto: { known: 'certManagerIssuerRef certValidityDuration enabled method schedule' },
          },
        },
      },
    },
    operator: {
      known: `affinity annotations dashboards dnsPolicy enabled endpointGCInterval extraArgs extraEnv
        extraHostPathMounts extraVolumeMounts extraVolumes hostNetwork identityGCInterval
        identityHeartbeatTimeout image nodeGCInterval nodeSelector podAnnotations podDisruptionBudget
        podLabels podSecurityContext pprof priorityClassName prometheus removeNodeTaints replicas
        resources rollOutPods securityContext setNodeNetworkStatus setNodeTaints skipCRDCreation
        tolerations topologySpreadConstraints unmanagedPodWatcher updateStrategy`,
      typed: { replicas: 'integer', tolerations: 'array' },
    },
  },
})
