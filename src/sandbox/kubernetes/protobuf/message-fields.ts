/**
 * The messages in which client-go's typed clients write, and their field numbers:
 * `Name: field=1 field:type=2 ...`, where a type is `s` text (also where none is given), `n` integer,
 * `b` boolean, `y` bytes, `t` time, `q` quantity, `i` integer or text, `j` JSON, `[]T` a list, `{T}` a
 * map, or a message's name. `!` marks what is written only when it was set, and counts even if empty.
 */
export const messageFields = `
ObjectMeta: name=1 generateName=2 namespace=3 selfLink=4 uid=5 resourceVersion=6 generation:n=7
  creationTimestamp:t=8 deletionTimestamp:t=9 deletionGracePeriodSeconds:n!=10 labels:{s}=11
  annotations:{s}=12 ownerReferences:[]OwnerReference=13 finalizers:[]s=14
  managedFields:[]ManagedFieldsEntry=17
OwnerReference: kind=1 name=3 uid=4 apiVersion=5 controller:b!=6 blockOwnerDeletion:b!=7
ManagedFieldsEntry: manager=1 operation=2 apiVersion=3 time:t=4 fieldsType=6 fieldsV1:j=7
  subresource=8
LabelSelector: matchLabels:{s}=1 matchExpressions:[]LabelSelectorRequirement=2
LabelSelectorRequirement: key=1 operator=2 values:[]s=3
DeleteOptions: gracePeriodSeconds:n!=1 preconditions:Preconditions=2 orphanDependents:b!=3
  propagationPolicy=4 dryRun:[]s=5 ignoreStoreReadErrorWithClusterBreakingPotential:b!=6
Preconditions: uid=1 resourceVersion=2
Namespace: metadata:ObjectMeta=1 spec:NamespaceSpec=2 status:NamespaceStatus=3
NamespaceSpec: finalizers:[]s=1
NamespaceStatus: phase=1
ConfigMap: metadata:ObjectMeta=1 data:{s}=2 binaryData:{y}=3 immutable:b!=4
Secret: metadata:ObjectMeta=1 data:{y}=2 type=3 stringData:{s}=4 immutable:b!=5
ServiceAccount: metadata:ObjectMeta=1 secrets:[]ObjectReference=2
  imagePullSecrets:[]LocalObjectReference=3 automountServiceAccountToken:b!=4
ObjectReference: kind=1 namespace=2 name=3 uid=4 apiVersion=5 resourceVersion=6 fieldPath=7
LocalObjectReference: name=1
Eviction: metadata:ObjectMeta=1 deleteOptions:DeleteOptions=2
PodDisruptionBudget: metadata:ObjectMeta=1 spec:PodDisruptionBudgetSpec=2
  status:PodDisruptionBudgetStatus=3
PodDisruptionBudgetSpec: minAvailable:i=1 selector:LabelSelector!=2 maxUnavailable:i=3
  unhealthyPodEvictionPolicy=4
PodDisruptionBudgetStatus: observedGeneration:n=1 disruptionsAllowed:n=3 currentHealthy:n=4
  desiredHealthy:n=5 expectedPods:n=6
CertificateSigningRequest: metadata:ObjectMeta=1 spec:CertificateSigningRequestSpec=2
  status:CertificateSigningRequestStatus=3
CertificateSigningRequestSpec: request:y=1 username=2 uid=3 groups:[]s=4 usages:[]s=5
  signerName=7 expirationSeconds:n!=8
CertificateSigningRequestStatus: conditions:[]CertificateSigningRequestCondition=1 certificate:y=2
CertificateSigningRequestCondition: type=1 reason=2 message=3 lastUpdateTime:t=4
  lastTransitionTime:t=5 status=6
SelfSubjectAccessReview: metadata:ObjectMeta=1 spec:SelfSubjectAccessReviewSpec=2
  status:SubjectAccessReviewStatus=3
SelfSubjectAccessReviewSpec: resourceAttributes:ResourceAttributes=1
  nonResourceAttributes:NonResourceAttributes=2
ResourceAttributes: namespace=1 verb=2 group=3 version=4 resource=5 subresource=6 name=7
NonResourceAttributes: path=1 verb=2
SubjectAccessReviewStatus: allowed:b=1 reason=2 evaluationError=3 denied:b=4
SelfSubjectRulesReview: metadata:ObjectMeta=1 spec:SelfSubjectRulesReviewSpec=2
  status:SubjectRulesReviewStatus=3
SelfSubjectRulesReviewSpec: namespace=1
SubjectRulesReviewStatus: incomplete:b=3 evaluationError=4
SelfSubjectReview: metadata:ObjectMeta=1 status:SelfSubjectReviewStatus=2
SelfSubjectReviewStatus: userInfo:UserInfo=1
UserInfo: username=1 uid=2 groups:[]s=3
Deployment: metadata:ObjectMeta=1 spec:DeploymentSpec=2 status:DeploymentStatus=3
DeploymentSpec: replicas:n!=1 selector:LabelSelector=2 template:PodTemplateSpec=3
  strategy:DeploymentStrategy=4 minReadySeconds:n=5 revisionHistoryLimit:n!=6 paused:b=7
  progressDeadlineSeconds:n!=9
DeploymentStrategy: type=1
DeploymentStatus: observedGeneration:n=1 replicas:n=2 updatedReplicas:n=3 availableReplicas:n=4
  unavailableReplicas:n=5 readyReplicas:n=7
PodTemplateSpec: metadata:ObjectMeta=1 spec:PodSpec=2
PodSpec: containers:[]Container=2 restartPolicy=3 terminationGracePeriodSeconds:n!=4 dnsPolicy=6
  nodeSelector:{s}=7 serviceAccountName=8 serviceAccount=9 nodeName=10 hostNetwork:b=11 hostPID:b=12
  hostIPC:b=13 imagePullSecrets:[]LocalObjectReference=15 hostname=16 subdomain=17 schedulerName=19
  initContainers:[]Container=20 automountServiceAccountToken:b!=21 tolerations:[]Toleration=22
  priorityClassName=24 priority:n!=25
Toleration: key=1 operator=2 value=3 effect=4 tolerationSeconds:n!=5
Container: name=1 image=2 command:[]s=3 args:[]s=4 workingDir=5 ports:[]ContainerPort=6
  env:[]EnvVar=7 resources:ResourceRequirements=8 terminationMessagePath=13 imagePullPolicy=14
  stdin:b=16 stdinOnce:b=17 tty:b=18 terminationMessagePolicy=20
ContainerPort: name=1 hostPort:n=2 containerPort:n=3 protocol=4 hostIP=5
EnvVar: name=1 value=2
ResourceRequirements: limits:{q}=1 requests:{q}=2
Service: metadata:ObjectMeta=1 spec:ServiceSpec=2 status:ServiceStatus=3
ServiceSpec: ports:[]ServicePort=1 selector:{s}=2 clusterIP=3 type=4 externalIPs:[]s=5
  sessionAffinity=7 loadBalancerIP=8 loadBalancerSourceRanges:[]s=9 externalName=10
  externalTrafficPolicy=11 healthCheckNodePort:n=12 publishNotReadyAddresses:b=13
  ipFamilyPolicy=17 clusterIPs:[]s=18 ipFamilies:[]s=19 allocateLoadBalancerNodePorts:b!=20
  loadBalancerClass=21 internalTrafficPolicy=22
ServicePort: name=1 protocol=2 port:n=3 targetPort:i=4 nodePort:n=5 appProtocol=6
ServiceStatus: loadBalancer:LoadBalancerStatus=1
LoadBalancerStatus: ingress:[]LoadBalancerIngress=1
LoadBalancerIngress: ip=1 hostname=2
`
