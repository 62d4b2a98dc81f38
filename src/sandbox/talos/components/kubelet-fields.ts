import { isRecord } from '../config/config-value.ts'
import { words } from './words.ts'

/** The fields of a KubeletConfiguration, by what Go reads them into (Kubernetes 1.32 to 1.37, v1beta1). */
const fields: Readonly<Record<string, readonly string[]>> = {
  bool: words(`
    cgroupsPerQOS cpuCFSQuota enableContentionProfiling enableControllerAttachDetach
    enableDebugFlagsHandler enableDebuggingHandlers enableProfilingHandler enableServer
    enableSystemLogHandler enableSystemLogQuery failCgroupV1 failSwapOn kernelMemcgNotification
    localStorageCapacityIsolation makeIPTablesUtilChains mergeDefaultEvictionSettings
    protectKernelDefaults registerNode rotateCertificates runOnce seccompDefault serializeImagePulls
    serverTLSBootstrap singleProcessOOMKill
  `),
  int32: words(`
    containerLogMaxFiles containerLogMaxWorkers eventBurst eventRecordQPS evictionMaxPodGracePeriod
    healthzPort imageGCHighThresholdPercent imageGCLowThresholdPercent iptablesDropBit
    iptablesMasqueradeBit kubeAPIBurst kubeAPIQPS maxParallelImagePulls maxPods
    nodeLeaseDurationSeconds nodeStatusMaxImages oomScoreAdj podsPerCore port readOnlyPort
    registryBurst registryPullQPS
  `),
  int64: words('maxOpenFiles podPidsLimit'),
  float64: words('memoryThrottlingFactor'),
  string: words(`
    address apiVersion cgroupDriver cgroupRoot clusterDomain configMapAndSecretChangeDetectionStrategy
    containerLogMaxSize containerRuntimeEndpoint contentType cpuManagerPolicy hairpinMode
    healthzBindAddress imagePullCredentialsVerificationPolicy imageServiceEndpoint kind
    kubeReservedCgroup kubeletCgroups memoryManagerPolicy memoryReservationPolicy podCIDR podLogsDir
    providerID reservedSystemCPUs resolvConf showHiddenMetricsForVersion staticPodPath staticPodURL
    systemCgroups systemReservedCgroup tlsCertFile tlsMinVersion tlsPrivateKeyFile
    topologyManagerPolicy topologyManagerScope volumePluginDir
  `),
  anything: words(`
    allowedUnsafeSysctls authentication authorization clusterDNS containerLogMonitorInterval
    cpuCFSQuotaPeriod cpuManagerPolicyOptions cpuManagerReconcilePeriod crashLoopBackOff
    enforceNodeAllocatable evictionHard evictionMinimumReclaim evictionPressureTransitionPeriod
    evictionSoft evictionSoftGracePeriod featureGates fileCheckFrequency httpCheckFrequency
    imageMaximumGCAge imageMinimumGCAge kubeReserved logging memorySwap nodeStatusReportFrequency
    nodeStatusUpdateFrequency preloadedImagesVerificationAllowlist qosReserved registerWithTaints
    reservedMemory runtimeRequestTimeout shutdownGracePeriod shutdownGracePeriodByPodPriority
    shutdownGracePeriodCriticalPods staticPodURLHeader streamingConnectionIdleTimeout syncFrequency
    systemReserved tlsCipherSuites tlsCurvePreferences topologyManagerPolicyOptions tracing
    userNamespaces volumeStatsAggPeriod
  `),
}

const kindOf = new Map(
  Object.entries(fields).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
)

/**
 * Why Talos makes no configuration of the kubelet out of this further one, as its controller says it; undefined
 * where it does. Of fields inside of fields one is looked at, which a program can hardly judge before.
 */
export function extraConfigRefusal(extraConfig: unknown): string | undefined {
  if (!isRecord(extraConfig)) return undefined
  const lead =
    'error creating kubelet configuration: error unmarshalling extra kubelet configuration'
  for (const [name, value] of Object.entries(extraConfig)) {
    const kind = kindOf.get(name)
    if (kind !== undefined && !fits(kind, value)) return `${lead}: unrecognized type: ${kind}`
  }
  const { logging } = extraConfig
  const interval = isRecord(logging) ? logging['flushFrequency'] : undefined
  if (typeof interval === 'string' && !/^([\d.]+(ns|us|ms|s|m|h))+$/.test(interval)) {
    return `${lead}: time: invalid duration ${JSON.stringify(interval)}`
  }
  const unknown = Object.keys(extraConfig).filter((name) => !kindOf.has(name))
  if (unknown.length === 0) return undefined
  return `${lead}: strict decoding error: ${unknown.map((name) => `unknown field "${name}"`).join(', ')}`
}

function fits(kind: string, value: unknown): boolean {
  switch (kind) {
    case 'bool':
      return typeof value === 'boolean'
    case 'string':
      return typeof value === 'string'
    case 'anything':
      return true
    default:
      return typeof value === 'number'
  }
}
