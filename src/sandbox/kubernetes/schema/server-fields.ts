/** The fields of what the API server offers about itself, in the notation of parse-schema.ts. */
export const serverFields = `
CustomResourceDefinition: apiVersion kind metadata:ObjectMeta spec:CustomResourceDefinitionSpec
  status:CustomResourceDefinitionStatus
CustomResourceDefinitionSpec: conversion:CustomResourceConversion group
  names:CustomResourceDefinitionNames preserveUnknownFields:b scope
  versions:[]CustomResourceDefinitionVersion
CustomResourceConversion: strategy webhook:?
CustomResourceDefinitionNames: categories:[]s kind listKind plural shortNames:[]s singular
CustomResourceDefinitionVersion: additionalPrinterColumns:[]CustomResourceColumnDefinition
  deprecated:b deprecationWarning name schema:? selectableFields:[]SelectableField served:b
  storage:b subresources:CustomResourceSubresources
CustomResourceColumnDefinition: description format jsonPath name priority:n type
SelectableField: jsonPath
CustomResourceSubresources: scale:CustomResourceSubresourceScale status:?
CustomResourceSubresourceScale: labelSelectorPath specReplicasPath statusReplicasPath
CustomResourceDefinitionStatus: acceptedNames:CustomResourceDefinitionNames
  conditions:[type]Condition observedGeneration:n storedVersions:[]s
APIService: apiVersion kind metadata:ObjectMeta spec:APIServiceSpec status:APIServiceStatus
APIServiceSpec: caBundle group groupPriorityMinimum:n insecureSkipTLSVerify:b
  service:APIServiceReference version versionPriority:n
APIServiceReference: name namespace port:n
APIServiceStatus: conditions:[type]Condition
Eviction: apiVersion deleteOptions:DeleteOptions kind metadata:ObjectMeta
DeleteOptions: apiVersion dryRun:[]s gracePeriodSeconds:n
  ignoreStoreReadErrorWithClusterBreakingPotential:b kind orphanDependents:b
  preconditions:Preconditions propagationPolicy
Preconditions: resourceVersion uid
Scale: apiVersion kind metadata:ObjectMeta spec:ScaleSpec status:ScaleStatus
ScaleSpec: replicas:n
ScaleStatus: replicas:n selector
ValidatingWebhookConfiguration: apiVersion kind metadata:ObjectMeta webhooks:[name]Webhook
MutatingWebhookConfiguration: apiVersion kind metadata:ObjectMeta webhooks:[name]Webhook
Webhook: admissionReviewVersions:[]s clientConfig:WebhookClientConfig failurePolicy
  matchConditions:[name]MatchCondition matchPolicy name namespaceSelector:LabelSelector!
  objectSelector:LabelSelector! reinvocationPolicy rules:[]RuleWithOperations sideEffects
  timeoutSeconds:n
WebhookClientConfig: caBundle service:WebhookServiceReference url
WebhookServiceReference: name namespace path port:n
MatchCondition: expression name
RuleWithOperations: apiGroups:[]s apiVersions:[]s operations:[]s resources:[]s scope
ValidatingAdmissionPolicy: apiVersion kind metadata:ObjectMeta spec:? status:?
ValidatingAdmissionPolicyBinding: apiVersion kind metadata:ObjectMeta spec:?
RuntimeClass: apiVersion handler kind metadata:ObjectMeta overhead:RuntimeOverhead
  scheduling:RuntimeScheduling
RuntimeOverhead: podFixed:{q}
RuntimeScheduling: nodeSelector:{s}! tolerations:[]Toleration
ResourceQuota: apiVersion kind metadata:ObjectMeta spec:ResourceQuotaSpec
  status:ResourceQuotaStatus
ResourceQuotaSpec: hard:{q} scopeSelector:? scopes:[]s
ResourceQuotaStatus: hard:{q} used:{q}
LimitRange: apiVersion kind metadata:ObjectMeta spec:LimitRangeSpec
LimitRangeSpec: limits:[]?
HorizontalPodAutoscaler: apiVersion kind metadata:ObjectMeta spec:HorizontalPodAutoscalerSpec
  status:?
HorizontalPodAutoscalerSpec: behavior:? maxReplicas:n metrics:[]? minReplicas:n
  scaleTargetRef:CrossVersionObjectReference
CrossVersionObjectReference: apiVersion kind name
`
