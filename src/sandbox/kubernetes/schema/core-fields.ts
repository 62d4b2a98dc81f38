/** The fields of the core group besides pods, in the notation of parse-schema.ts. */
export const coreFields = `
Node: apiVersion kind metadata:ObjectMeta spec:NodeSpec status:NodeStatus
Namespace: apiVersion kind metadata:ObjectMeta spec:NamespaceSpec status:NamespaceStatus
Secret: apiVersion data:{s} immutable:b kind metadata:ObjectMeta stringData:{s} type
ConfigMap: apiVersion binaryData:{s} data:{s} immutable:b kind metadata:ObjectMeta
Service: apiVersion kind metadata:ObjectMeta spec:ServiceSpec status:ServiceStatus
ServiceAccount: apiVersion automountServiceAccountToken:b imagePullSecrets:[]LocalObjectReference!
  kind metadata:ObjectMeta secrets:[name]ObjectReference!
Event: action apiVersion count:n eventTime firstTimestamp involvedObject:ObjectReference! kind
  lastTimestamp message metadata:ObjectMeta reason related:ObjectReference! reportingComponent
  reportingInstance series:EventSeries source:EventSource type
PersistentVolume: apiVersion kind metadata:ObjectMeta spec:PersistentVolumeSpec
  status:PersistentVolumeStatus
PersistentVolumeClaim: apiVersion kind metadata:ObjectMeta spec:PersistentVolumeClaimSpec
  status:PersistentVolumeClaimStatus
Endpoints: apiVersion kind metadata:ObjectMeta subsets:[]EndpointSubset
NodeSpec: configSource:NodeConfigSource externalID podCIDR podCIDRs:[=]s providerID taints:[]Taint
  unschedulable:b
NodeStatus: addresses:[type]NodeAddress allocatable:{q} capacity:{q}
  conditions:[type]NodeCondition config:NodeConfigStatus daemonEndpoints:NodeDaemonEndpoints
  declaredFeatures:[]s features:NodeFeatures images:[]ContainerImage nodeInfo:NodeSystemInfo phase
  runtimeHandlers:[]NodeRuntimeHandler volumesAttached:[]AttachedVolume volumesInUse:[]s
NamespaceSpec: finalizers:[]s
NamespaceStatus: conditions:[type]NamespaceCondition phase
ServiceSpec: allocateLoadBalancerNodePorts:b clusterIP clusterIPs:[]s externalIPs:[]s externalName
  externalTrafficPolicy healthCheckNodePort:n internalTrafficPolicy ipFamilies:[]s ipFamilyPolicy
  loadBalancerClass loadBalancerIP loadBalancerSourceRanges:[]s
  ports:[port,protocol=TCP]ServicePort publishNotReadyAddresses:b selector:{s}! sessionAffinity
  sessionAffinityConfig:SessionAffinityConfig trafficDistribution type
ServiceStatus: conditions:[type]Condition loadBalancer:LoadBalancerStatus
ObjectReference: apiVersion fieldPath kind name namespace resourceVersion uid
EventSeries: count:n lastObservedTime
EventSource: component host
PersistentVolumeSpec: accessModes:[]s awsElasticBlockStore:AWSElasticBlockStoreVolumeSource
  azureDisk:AzureDiskVolumeSource azureFile:AzureFilePersistentVolumeSource capacity:{q}
  cephfs:CephFSPersistentVolumeSource cinder:CinderPersistentVolumeSource
  claimRef:ObjectReference! csi:CSIPersistentVolumeSource fc:FCVolumeSource
  flexVolume:FlexPersistentVolumeSource flocker:FlockerVolumeSource
  gcePersistentDisk:GCEPersistentDiskVolumeSource glusterfs:GlusterfsPersistentVolumeSource
  hostPath:HostPathVolumeSource iscsi:ISCSIPersistentVolumeSource local:LocalVolumeSource
  mountOptions:[]s nfs:NFSVolumeSource nodeAffinity:VolumeNodeAffinity
  persistentVolumeReclaimPolicy photonPersistentDisk:PhotonPersistentDiskVolumeSource
  portworxVolume:PortworxVolumeSource quobyte:QuobyteVolumeSource rbd:RBDPersistentVolumeSource
  scaleIO:ScaleIOPersistentVolumeSource storageClassName storageos:StorageOSPersistentVolumeSource
  volumeAttributesClassName volumeMode vsphereVolume:VsphereVirtualDiskVolumeSource
PersistentVolumeStatus: lastPhaseTransitionTime message phase reason
PersistentVolumeClaimStatus: accessModes:[]s allocatedResourceStatuses:{s} allocatedResources:{q}
  capacity:{q} conditions:[type]PersistentVolumeClaimCondition currentVolumeAttributesClassName
  modifyVolumeStatus:ModifyVolumeStatus phase
EndpointSubset: addresses:[]EndpointAddress! notReadyAddresses:[]EndpointAddress!
  ports:[]EndpointPort!
NodeConfigSource: configMap:ConfigMapNodeConfigSource
Taint: effect key timeAdded value
NodeAddress: address type
NodeCondition: lastHeartbeatTime lastTransitionTime message reason status type
NodeConfigStatus: active:NodeConfigSource assigned:NodeConfigSource error
  lastKnownGood:NodeConfigSource
NodeDaemonEndpoints: kubeletEndpoint:DaemonEndpoint
NodeFeatures: supplementalGroupsPolicy:b
ContainerImage: names:[]s sizeBytes:n
NodeSystemInfo: architecture bootID containerRuntimeVersion kernelVersion kubeProxyVersion
  kubeletVersion machineID operatingSystem osImage swap:NodeSwapStatus systemUUID
NodeRuntimeHandler: features:NodeRuntimeHandlerFeatures name
AttachedVolume: devicePath name
NamespaceCondition: lastTransitionTime message reason status type
ServicePort: appProtocol name nodePort:n port:n protocol targetPort:q
SessionAffinityConfig: clientIP:ClientIPConfig
Condition: lastTransitionTime message observedGeneration:n reason status type
LoadBalancerStatus: ingress:[]LoadBalancerIngress
AzureFilePersistentVolumeSource: readOnly:b secretName secretNamespace shareName
CephFSPersistentVolumeSource: monitors:[]s path readOnly:b secretFile secretRef:SecretReference!
  user
CinderPersistentVolumeSource: fsType readOnly:b secretRef:SecretReference! volumeID
CSIPersistentVolumeSource: controllerExpandSecretRef:SecretReference!
  controllerPublishSecretRef:SecretReference! driver fsType nodeExpandSecretRef:SecretReference!
  nodePublishSecretRef:SecretReference! nodeStageSecretRef:SecretReference! readOnly:b
  volumeAttributes:{s} volumeHandle
FlexPersistentVolumeSource: driver fsType options:{s} readOnly:b secretRef:SecretReference!
GlusterfsPersistentVolumeSource: endpoints endpointsNamespace path readOnly:b
ISCSIPersistentVolumeSource: chapAuthDiscovery:b chapAuthSession:b fsType initiatorName iqn
  iscsiInterface lun:n portals:[]s readOnly:b secretRef:SecretReference! targetPortal
LocalVolumeSource: fsType path
VolumeNodeAffinity: required:NodeSelector!
RBDPersistentVolumeSource: fsType image keyring monitors:[]s pool readOnly:b
  secretRef:SecretReference! user
ScaleIOPersistentVolumeSource: fsType gateway protectionDomain readOnly:b
  secretRef:SecretReference! sslEnabled:b storageMode storagePool system volumeName
StorageOSPersistentVolumeSource: fsType readOnly:b secretRef:ObjectReference! volumeName
  volumeNamespace
PersistentVolumeClaimCondition: lastProbeTime lastTransitionTime message reason status type
ModifyVolumeStatus: status targetVolumeAttributesClassName
EndpointAddress: hostname ip nodeName targetRef:ObjectReference!
EndpointPort: appProtocol name port:n protocol
ConfigMapNodeConfigSource: kubeletConfigKey name namespace resourceVersion uid
DaemonEndpoint: Port:n
NodeSwapStatus: capacity:n
NodeRuntimeHandlerFeatures: recursiveReadOnlyMounts:b userNamespaces:b
ClientIPConfig: timeoutSeconds:n
LoadBalancerIngress: hostname ip ipMode ports:[]PortStatus
SecretReference: name namespace
PortStatus: error port:n protocol
`
