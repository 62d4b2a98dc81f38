/** The fields of pods and of what stands in them, in the notation of parse-schema.ts. */
export const podFields = `
Pod: apiVersion kind metadata:ObjectMeta spec:PodSpec status:PodStatus
ObjectMeta: annotations:{s} creationTimestamp deletionGracePeriodSeconds:n deletionTimestamp
  finalizers:[=]s generateName generation:n labels:{s} managedFields:[]ManagedFieldsEntry name
  namespace ownerReferences:[uid]OwnerReference! resourceVersion selfLink uid
PodSpec: activeDeadlineSeconds:n affinity:Affinity automountServiceAccountToken:b
  containers:[name]Container dnsConfig:PodDNSConfig dnsPolicy enableServiceLinks:b
  ephemeralContainers:[name]EphemeralContainer hostAliases:[ip]HostAlias hostIPC:b hostNetwork:b
  hostPID:b hostUsers:b hostname hostnameOverride imagePullSecrets:[name]LocalObjectReference!
  initContainers:[name]Container nodeName nodeSelector:{s}! os:PodOS overhead:{q} preemptionPolicy
  priority:n priorityClassName readinessGates:[]PodReadinessGate
  resourceClaims:[name]PodResourceClaim resources:ResourceRequirements restartPolicy
  runtimeClassName schedulerName schedulingGates:[name]PodSchedulingGate
  securityContext:PodSecurityContext serviceAccount serviceAccountName setHostnameAsFQDN:b
  shareProcessNamespace:b subdomain terminationGracePeriodSeconds:n tolerations:[]Toleration
  topologySpreadConstraints:[topologyKey,whenUnsatisfiable]TopologySpreadConstraint
  volumes:[name]Volume workloadRef:WorkloadReference
PodStatus: allocatedResources:{q} conditions:[type]PodCondition
  containerStatuses:[]ContainerStatus ephemeralContainerStatuses:[]ContainerStatus
  extendedResourceClaimStatus:PodExtendedResourceClaimStatus hostIP hostIPs:[]HostIP
  initContainerStatuses:[]ContainerStatus message nominatedNodeName observedGeneration:n phase
  podIP podIPs:[ip]PodIP qosClass reason resize resourceClaimStatuses:[name]PodResourceClaimStatus
  resources:ResourceRequirements startTime
ManagedFieldsEntry: apiVersion fieldsType fieldsV1:FieldsV1 manager operation subresource time
OwnerReference: apiVersion blockOwnerDeletion:b controller:b kind name uid
Affinity: nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity
Container: args:[]s command:[]s env:[name]EnvVar envFrom:[]EnvFromSource image imagePullPolicy
  lifecycle:Lifecycle livenessProbe:Probe name ports:[containerPort,protocol=TCP]ContainerPort
  readinessProbe:Probe resizePolicy:[]ContainerResizePolicy resources:ResourceRequirements
  restartPolicy restartPolicyRules:[]ContainerRestartRule securityContext:SecurityContext
  startupProbe:Probe stdin:b stdinOnce:b terminationMessagePath terminationMessagePolicy tty:b
  volumeDevices:[devicePath]VolumeDevice volumeMounts:[mountPath]VolumeMount workingDir
PodDNSConfig: nameservers:[]s options:[]PodDNSConfigOption searches:[]s
EphemeralContainer: args:[]s command:[]s env:[name]EnvVar envFrom:[]EnvFromSource image
  imagePullPolicy lifecycle:Lifecycle livenessProbe:Probe name
  ports:[containerPort,protocol=TCP]ContainerPort readinessProbe:Probe
  resizePolicy:[]ContainerResizePolicy resources:ResourceRequirements restartPolicy
  restartPolicyRules:[]ContainerRestartRule securityContext:SecurityContext startupProbe:Probe
  stdin:b stdinOnce:b targetContainerName terminationMessagePath terminationMessagePolicy tty:b
  volumeDevices:[devicePath]VolumeDevice volumeMounts:[mountPath]VolumeMount workingDir
HostAlias: hostnames:[]s ip
LocalObjectReference: name
PodOS: name
PodReadinessGate: conditionType
PodResourceClaim: name resourceClaimName resourceClaimTemplateName
ResourceRequirements: claims:[name]ResourceClaim limits:{q} requests:{q}
PodSchedulingGate: name
PodSecurityContext: appArmorProfile:AppArmorProfile fsGroup:n fsGroupChangePolicy runAsGroup:n
  runAsNonRoot:b runAsUser:n seLinuxChangePolicy seLinuxOptions:SELinuxOptions
  seccompProfile:SeccompProfile supplementalGroups:[]n supplementalGroupsPolicy sysctls:[]Sysctl
  windowsOptions:WindowsSecurityContextOptions
Toleration: effect key operator tolerationSeconds:n value
TopologySpreadConstraint: labelSelector:LabelSelector! matchLabelKeys:[]s maxSkew:n minDomains:n
  nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable
Volume: awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource
  azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource
  configMap:ConfigMapVolumeSource csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource
  emptyDir:EmptyDirVolumeSource ephemeral:EphemeralVolumeSource fc:FCVolumeSource
  flexVolume:FlexVolumeSource flocker:FlockerVolumeSource
  gcePersistentDisk:GCEPersistentDiskVolumeSource gitRepo:GitRepoVolumeSource
  glusterfs:GlusterfsVolumeSource hostPath:HostPathVolumeSource image:ImageVolumeSource
  iscsi:ISCSIVolumeSource name nfs:NFSVolumeSource
  persistentVolumeClaim:PersistentVolumeClaimVolumeSource
  photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource
  projected:ProjectedVolumeSource quobyte:QuobyteVolumeSource rbd:RBDVolumeSource
  scaleIO:ScaleIOVolumeSource secret:SecretVolumeSource storageos:StorageOSVolumeSource
  vsphereVolume:VsphereVirtualDiskVolumeSource
WorkloadReference: name podGroup podGroupReplicaKey
PodCondition: lastProbeTime lastTransitionTime message observedGeneration:n reason status type
ContainerStatus: allocatedResources:{q} allocatedResourcesStatus:[name]ResourceStatus containerID
  image imageID lastState:ContainerState name ready:b resources:ResourceRequirements
  restartCount:n started:b state:ContainerState stopSignal user:ContainerUser
  volumeMounts:[mountPath]VolumeMountStatus
PodExtendedResourceClaimStatus: requestMappings:[]ContainerExtendedResourceRequest
  resourceClaimName
HostIP: ip
PodIP: ip
PodResourceClaimStatus: name resourceClaimName
FieldsV1: =?
NodeAffinity: preferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm
  requiredDuringSchedulingIgnoredDuringExecution:NodeSelector!
PodAffinity: preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
  requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm
PodAntiAffinity: preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
  requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm
EnvVar: name value valueFrom:EnvVarSource
EnvFromSource: configMapRef:ConfigMapEnvSource prefix secretRef:SecretEnvSource
Lifecycle: postStart:LifecycleHandler preStop:LifecycleHandler stopSignal
Probe: exec:ExecAction failureThreshold:n grpc:GRPCAction httpGet:HTTPGetAction
  initialDelaySeconds:n periodSeconds:n successThreshold:n tcpSocket:TCPSocketAction
  terminationGracePeriodSeconds:n timeoutSeconds:n
ContainerPort: containerPort:n hostIP hostPort:n name protocol
ContainerResizePolicy: resourceName restartPolicy
ContainerRestartRule: action exitCodes:ContainerRestartRuleOnExitCodes
SecurityContext: allowPrivilegeEscalation:b appArmorProfile:AppArmorProfile
  capabilities:Capabilities privileged:b procMount readOnlyRootFilesystem:b runAsGroup:n
  runAsNonRoot:b runAsUser:n seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile
  windowsOptions:WindowsSecurityContextOptions
VolumeDevice: devicePath name
VolumeMount: mountPath mountPropagation name readOnly:b recursiveReadOnly subPath subPathExpr
PodDNSConfigOption: name value
ResourceClaim: name request
AppArmorProfile: localhostProfile type
SELinuxOptions: level role type user
SeccompProfile: localhostProfile type
Sysctl: name value
WindowsSecurityContextOptions: gmsaCredentialSpec gmsaCredentialSpecName hostProcess:b
  runAsUserName
LabelSelector: matchExpressions:[]LabelSelectorRequirement matchLabels:{s}
AWSElasticBlockStoreVolumeSource: fsType partition:n readOnly:b volumeID
AzureDiskVolumeSource: cachingMode diskName diskURI fsType kind readOnly:b
AzureFileVolumeSource: readOnly:b secretName shareName
CephFSVolumeSource: monitors:[]s path readOnly:b secretFile secretRef:LocalObjectReference! user
CinderVolumeSource: fsType readOnly:b secretRef:LocalObjectReference! volumeID
ConfigMapVolumeSource: defaultMode:n items:[]KeyToPath name optional:b
CSIVolumeSource: driver fsType nodePublishSecretRef:LocalObjectReference! readOnly:b
  volumeAttributes:{s}
DownwardAPIVolumeSource: defaultMode:n items:[]DownwardAPIVolumeFile
EmptyDirVolumeSource: medium sizeLimit:q
EphemeralVolumeSource: volumeClaimTemplate:PersistentVolumeClaimTemplate
FCVolumeSource: fsType lun:n readOnly:b targetWWNs:[]s wwids:[]s
FlexVolumeSource: driver fsType options:{s} readOnly:b secretRef:LocalObjectReference!
FlockerVolumeSource: datasetName datasetUUID
GCEPersistentDiskVolumeSource: fsType partition:n pdName readOnly:b
GitRepoVolumeSource: directory repository revision
GlusterfsVolumeSource: endpoints path readOnly:b
HostPathVolumeSource: path type
ImageVolumeSource: pullPolicy reference
ISCSIVolumeSource: chapAuthDiscovery:b chapAuthSession:b fsType initiatorName iqn iscsiInterface
  lun:n portals:[]s readOnly:b secretRef:LocalObjectReference! targetPortal
NFSVolumeSource: path readOnly:b server
PersistentVolumeClaimVolumeSource: claimName readOnly:b
PhotonPersistentDiskVolumeSource: fsType pdID
PortworxVolumeSource: fsType readOnly:b volumeID
ProjectedVolumeSource: defaultMode:n sources:[]VolumeProjection
QuobyteVolumeSource: group readOnly:b registry tenant user volume
RBDVolumeSource: fsType image keyring monitors:[]s pool readOnly:b secretRef:LocalObjectReference!
  user
ScaleIOVolumeSource: fsType gateway protectionDomain readOnly:b secretRef:LocalObjectReference!
  sslEnabled:b storageMode storagePool system volumeName
SecretVolumeSource: defaultMode:n items:[]KeyToPath optional:b secretName
StorageOSVolumeSource: fsType readOnly:b secretRef:LocalObjectReference! volumeName
  volumeNamespace
VsphereVirtualDiskVolumeSource: fsType storagePolicyID storagePolicyName volumePath
ResourceStatus: name resources:[resourceID]ResourceHealth
ContainerState: running:ContainerStateRunning terminated:ContainerStateTerminated
  waiting:ContainerStateWaiting
ContainerUser: linux:LinuxContainerUser
VolumeMountStatus: mountPath name readOnly:b recursiveReadOnly
ContainerExtendedResourceRequest: containerName requestName resourceName
PreferredSchedulingTerm: preference:NodeSelectorTerm! weight:n
NodeSelector: nodeSelectorTerms:[]NodeSelectorTerm!
WeightedPodAffinityTerm: podAffinityTerm:PodAffinityTerm weight:n
PodAffinityTerm: labelSelector:LabelSelector! matchLabelKeys:[]s mismatchLabelKeys:[]s
  namespaceSelector:LabelSelector! namespaces:[]s topologyKey
EnvVarSource: configMapKeyRef:ConfigMapKeySelector! fieldRef:ObjectFieldSelector!
  fileKeyRef:FileKeySelector! resourceFieldRef:ResourceFieldSelector!
  secretKeyRef:SecretKeySelector!
ConfigMapEnvSource: name optional:b
SecretEnvSource: name optional:b
LifecycleHandler: exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction
  tcpSocket:TCPSocketAction
ExecAction: command:[]s
GRPCAction: port:n service
HTTPGetAction: host httpHeaders:[]HTTPHeader path port:q scheme
TCPSocketAction: host port:q
ContainerRestartRuleOnExitCodes: operator values:[=]n
Capabilities: add:[]s drop:[]s
LabelSelectorRequirement: key operator values:[]s
KeyToPath: key mode:n path
DownwardAPIVolumeFile: fieldRef:ObjectFieldSelector! mode:n path
  resourceFieldRef:ResourceFieldSelector!
PersistentVolumeClaimTemplate: metadata:ObjectMeta spec:PersistentVolumeClaimSpec
VolumeProjection: clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection
  downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection
  secret:SecretProjection serviceAccountToken:ServiceAccountTokenProjection
ResourceHealth: health resourceID
ContainerStateRunning: startedAt
ContainerStateTerminated: containerID exitCode:n finishedAt message reason signal:n startedAt
ContainerStateWaiting: message reason
LinuxContainerUser: gid:n supplementalGroups:[]n uid:n
NodeSelectorTerm: matchExpressions:[]NodeSelectorRequirement matchFields:[]NodeSelectorRequirement
ConfigMapKeySelector: key name optional:b
ObjectFieldSelector: apiVersion fieldPath
FileKeySelector: key optional:b path volumeName
ResourceFieldSelector: containerName divisor:q resource
SecretKeySelector: key name optional:b
SleepAction: seconds:n
HTTPHeader: name value
PersistentVolumeClaimSpec: accessModes:[]s dataSource:TypedLocalObjectReference!
  dataSourceRef:TypedObjectReference resources:VolumeResourceRequirements selector:LabelSelector!
  storageClassName volumeAttributesClassName volumeMode volumeName
ClusterTrustBundleProjection: labelSelector:LabelSelector! name optional:b path signerName
ConfigMapProjection: items:[]KeyToPath name optional:b
DownwardAPIProjection: items:[]DownwardAPIVolumeFile
PodCertificateProjection: certificateChainPath credentialBundlePath keyPath keyType
  maxExpirationSeconds:n signerName userAnnotations:{s}
SecretProjection: items:[]KeyToPath name optional:b
ServiceAccountTokenProjection: audience expirationSeconds:n path
NodeSelectorRequirement: key operator values:[]s
TypedLocalObjectReference: apiGroup kind name
TypedObjectReference: apiGroup kind name namespace
VolumeResourceRequirements: limits:{q} requests:{q}
`
