import { words } from './words.ts'

/** Feature gates that Kubernetes gave up, by the first minor that does not know them: it ends at its start then. */
export const removedGates: Readonly<Record<number, readonly string[]>> = {
  31: words(`
    APIPriorityAndFairness CSIMigrationRBD CSINodeExpandSecret ConsistentHTTPGetHandlers
    CustomResourceValidationExpressions DefaultHostNetworkHostPortsInPodTemplates
    InTreePluginAWSUnregister InTreePluginAzureDiskUnregister InTreePluginAzureFileUnregister
    InTreePluginGCEUnregister InTreePluginOpenStackUnregister InTreePluginRBDUnregister
    InTreePluginvSphereUnregister JobReadyPods ReadWriteOncePod ServiceNodePortStaticSubrange
    SkipReadOnlyValidationGCE
  `),
  32: words(`
    CloudDualStackNodeIPs DRAControlPlaneController HPAContainerMetrics KMSv2 KMSv2KDF
    LegacyServiceAccountTokenCleanUp MinDomainsInPodTopologySpread NewVolumeManagerReconstruction
    NodeOutOfServiceVolumeDetach PodHostIPs ServerSideApply ServerSideFieldValidation
    StableLoadBalancerNodeSet ValidatingAdmissionPolicy ZeroLimitedNominalConcurrencyShares
  `),
  33: words(`
    APIListChunking AdmissionWebhookMatchConditions AggregatedDiscoveryEndpoint AppArmor
    AppArmorFields CPUManager DisableCloudProviders DisableKubeletCloudCredentialProviders
    EfficientWatchResumption JobPodFailurePolicy KubeProxyDrainingTerminatingNodes
    PDBUnhealthyPodEvictionPolicy PersistentVolumeLastPhaseTransitionTime RemainingItemCount
    VolumeCapacityPriority WatchBookmark
  `),
  34: words(`
    DevicePluginCDIDevices ElasticIndexedJob LegacySidecarContainers PodDisruptionConditions
    StatefulSetStartOrdinal
  `),
  35: words(`
    AllowServiceLBStatusOnNonLB ComponentSLIs CronJobsScheduledAnnotation LoadBalancerIPMode
    PodIndexLabel ProbeHostPodSecurityStandards SizeMemoryBackedVolumes StatefulSetAutoDeletePVC
    StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks UserNamespacesPodSecurityStandards
  `),
  36: words(`
    CSIMigrationPortworx HonorPVReclaimPolicy InPlacePodVerticalScalingAllocatedStatus
    InTreePluginPortworxUnregister MemoryManager ServiceTrafficDistribution
    StructuredAuthorizationConfiguration TopologyAwareHints WatchFromStorageWithoutResourceVersion
  `),
  37: words(`
    APIServerTracing AnonymousAuthConfigurableEndpoints AnyVolumeDataSource
    AuthorizeNodeWithSelectors AuthorizeWithSelectors BtreeWatchCache ConsistentListFromCache
    GangScheduling JobBackoffLimitPerIndex JobPodReplacementPolicy JobSuccessPolicy
    LogarithmicScaleDown OrderedNamespaceDeletion PodLifecycleSleepAction
    PodLifecycleSleepActionAllowZero PreventStaticPodAPIReferences RelaxedDNSSearchValidation
    ResilientWatchCacheInitialization RetryGenerateName SchedulerQueueingHints SidecarContainers
    StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf
    StructuredAuthenticationConfiguration WorkloadAwarePreemption
  `),
}
