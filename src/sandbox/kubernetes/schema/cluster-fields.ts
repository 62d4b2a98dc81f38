/** The fields of the groups about the cluster itself, in the notation of parse-schema.ts. */
export const clusterFields = `
Role: apiVersion kind metadata:ObjectMeta rules:[]PolicyRule
RoleBinding: apiVersion kind metadata:ObjectMeta roleRef:RoleRef! subjects:[]Subject!
ClusterRole: aggregationRule:AggregationRule apiVersion kind metadata:ObjectMeta
  rules:[]PolicyRule
ClusterRoleBinding: apiVersion kind metadata:ObjectMeta roleRef:RoleRef! subjects:[]Subject!
StorageClass: allowVolumeExpansion:b allowedTopologies:[]TopologySelectorTerm! apiVersion kind
  metadata:ObjectMeta mountOptions:[]s parameters:{s} provisioner reclaimPolicy volumeBindingMode
CSIDriver: apiVersion kind metadata:ObjectMeta spec:CSIDriverSpec
CSINode: apiVersion kind metadata:ObjectMeta spec:CSINodeSpec
VolumeAttachment: apiVersion kind metadata:ObjectMeta spec:VolumeAttachmentSpec
  status:VolumeAttachmentStatus
CertificateSigningRequest: apiVersion kind metadata:ObjectMeta spec:CertificateSigningRequestSpec
  status:CertificateSigningRequestStatus
Lease: apiVersion kind metadata:ObjectMeta spec:LeaseSpec
Ingress: apiVersion kind metadata:ObjectMeta spec:IngressSpec status:IngressStatus
NetworkPolicy: apiVersion kind metadata:ObjectMeta spec:NetworkPolicySpec
IngressClass: apiVersion kind metadata:ObjectMeta spec:IngressClassSpec
PriorityClass: apiVersion description globalDefault:b kind metadata:ObjectMeta preemptionPolicy
  value:n
EndpointSlice: addressType apiVersion endpoints:[]Endpoint kind metadata:ObjectMeta
  ports:[]SlicePort!
PolicyRule: apiGroups:[]s nonResourceURLs:[]s resourceNames:[]s resources:[]s verbs:[]s
RoleRef: apiGroup kind name
Subject: apiGroup kind name namespace
AggregationRule: clusterRoleSelectors:[]LabelSelector!
TopologySelectorTerm: matchLabelExpressions:[]TopologySelectorLabelRequirement
CSIDriverSpec: attachRequired:b fsGroupPolicy nodeAllocatableUpdatePeriodSeconds:n
  podInfoOnMount:b requiresRepublish:b seLinuxMount:b serviceAccountTokenInSecrets:b
  storageCapacity:b tokenRequests:[]TokenRequest volumeLifecycleModes:[=]s
CSINodeSpec: drivers:[name]CSINodeDriver
VolumeAttachmentSpec: attacher nodeName source:VolumeAttachmentSource
VolumeAttachmentStatus: attachError:VolumeError attached:b attachmentMetadata:{s}
  detachError:VolumeError
CertificateSigningRequestSpec: expirationSeconds:n extra:{[]s} groups:[]s request signerName uid
  usages:[]s username
CertificateSigningRequestStatus: certificate conditions:[type]CertificateSigningRequestCondition
LeaseSpec: acquireTime holderIdentity leaseDurationSeconds:n leaseTransitions:n preferredHolder
  renewTime strategy
IngressSpec: defaultBackend:IngressBackend ingressClassName rules:[]IngressRule tls:[]IngressTLS
IngressStatus: loadBalancer:IngressLoadBalancerStatus
NetworkPolicySpec: egress:[]NetworkPolicyEgressRule ingress:[]NetworkPolicyIngressRule
  podSelector:LabelSelector! policyTypes:[]s
IngressClassSpec: controller parameters:IngressClassParametersReference
Endpoint: addresses:[=]s conditions:EndpointConditions deprecatedTopology:{s} hints:EndpointHints
  hostname nodeName targetRef:ObjectReference! zone
SlicePort: appProtocol name port:n protocol
TopologySelectorLabelRequirement: key values:[]s
TokenRequest: audience expirationSeconds:n
CSINodeDriver: allocatable:VolumeNodeResources name nodeID topologyKeys:[]s
VolumeAttachmentSource: inlineVolumeSpec:PersistentVolumeSpec persistentVolumeName
VolumeError: errorCode:n message time
CertificateSigningRequestCondition: lastTransitionTime lastUpdateTime message reason status type
IngressBackend: resource:TypedLocalObjectReference! service:IngressServiceBackend
IngressRule: host http:HTTPIngressRuleValue
IngressTLS: hosts:[]s secretName
IngressLoadBalancerStatus: ingress:[]IngressLoadBalancerIngress
NetworkPolicyEgressRule: ports:[]NetworkPolicyPort to:[]NetworkPolicyPeer
NetworkPolicyIngressRule: from:[]NetworkPolicyPeer ports:[]NetworkPolicyPort
IngressClassParametersReference: apiGroup kind name namespace scope
EndpointConditions: ready:b serving:b terminating:b
EndpointHints: forNodes:[]ForNode forZones:[]ForZone
VolumeNodeResources: count:n
IngressServiceBackend: name port:ServiceBackendPort!
HTTPIngressRuleValue: paths:[]HTTPIngressPath
IngressLoadBalancerIngress: hostname ip ports:[]IngressPortStatus
NetworkPolicyPort: endPort:n port:q protocol
NetworkPolicyPeer: ipBlock:IPBlock namespaceSelector:LabelSelector! podSelector:LabelSelector!
ForNode: name
ForZone: name
ServiceBackendPort: name number:n
HTTPIngressPath: backend:IngressBackend path pathType
IngressPortStatus: error port:n protocol
IPBlock: cidr except:[]s
`
