/** The fields of apps, batch and policy, in the notation of parse-schema.ts. */
export const workloadFields = `
DaemonSet: apiVersion kind metadata:ObjectMeta spec:DaemonSetSpec status:DaemonSetStatus
Deployment: apiVersion kind metadata:ObjectMeta spec:DeploymentSpec status:DeploymentStatus
StatefulSet: apiVersion kind metadata:ObjectMeta spec:StatefulSetSpec status:StatefulSetStatus
ReplicaSet: apiVersion kind metadata:ObjectMeta spec:ReplicaSetSpec status:ReplicaSetStatus
ControllerRevision: apiVersion data:? kind metadata:ObjectMeta revision:n
Job: apiVersion kind metadata:ObjectMeta spec:JobSpec status:JobStatus
CronJob: apiVersion kind metadata:ObjectMeta spec:CronJobSpec status:CronJobStatus
PodDisruptionBudget: apiVersion kind metadata:ObjectMeta spec:PodDisruptionBudgetSpec
  status:PodDisruptionBudgetStatus
DaemonSetSpec: minReadySeconds:n revisionHistoryLimit:n selector:LabelSelector!
  template:PodTemplateSpec updateStrategy:DaemonSetUpdateStrategy
DaemonSetStatus: collisionCount:n conditions:[type]DaemonSetCondition currentNumberScheduled:n
  desiredNumberScheduled:n numberAvailable:n numberMisscheduled:n numberReady:n
  numberUnavailable:n observedGeneration:n updatedNumberScheduled:n
DeploymentSpec: minReadySeconds:n paused:b progressDeadlineSeconds:n replicas:n
  revisionHistoryLimit:n selector:LabelSelector! strategy:DeploymentStrategy
  template:PodTemplateSpec
DeploymentStatus: availableReplicas:n collisionCount:n conditions:[type]DeploymentCondition
  observedGeneration:n readyReplicas:n replicas:n terminatingReplicas:n unavailableReplicas:n
  updatedReplicas:n
StatefulSetSpec: minReadySeconds:n ordinals:StatefulSetOrdinals
  persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy
  podManagementPolicy replicas:n revisionHistoryLimit:n selector:LabelSelector! serviceName
  template:PodTemplateSpec updateStrategy:StatefulSetUpdateStrategy
  volumeClaimTemplates:[]PersistentVolumeClaim
StatefulSetStatus: availableReplicas:n collisionCount:n conditions:[type]StatefulSetCondition
  currentReplicas:n currentRevision observedGeneration:n readyReplicas:n replicas:n updateRevision
  updatedReplicas:n
ReplicaSetSpec: minReadySeconds:n replicas:n selector:LabelSelector! template:PodTemplateSpec
ReplicaSetStatus: availableReplicas:n conditions:[type]ReplicaSetCondition fullyLabeledReplicas:n
  observedGeneration:n readyReplicas:n replicas:n terminatingReplicas:n
JobSpec: activeDeadlineSeconds:n backoffLimit:n backoffLimitPerIndex:n completionMode
  completions:n managedBy manualSelector:b maxFailedIndexes:n parallelism:n
  podFailurePolicy:PodFailurePolicy podReplacementPolicy selector:LabelSelector!
  successPolicy:SuccessPolicy suspend:b template:PodTemplateSpec ttlSecondsAfterFinished:n
JobStatus: active:n completedIndexes completionTime conditions:[]JobCondition failed:n
  failedIndexes ready:n startTime succeeded:n terminating:n
  uncountedTerminatedPods:UncountedTerminatedPods
CronJobSpec: concurrencyPolicy failedJobsHistoryLimit:n jobTemplate:JobTemplateSpec schedule
  startingDeadlineSeconds:n successfulJobsHistoryLimit:n suspend:b timeZone
CronJobStatus: active:[]ObjectReference! lastScheduleTime lastSuccessfulTime
PodDisruptionBudgetSpec: maxUnavailable:q minAvailable:q selector:LabelSelector!
  unhealthyPodEvictionPolicy
PodDisruptionBudgetStatus: conditions:[type]Condition currentHealthy:n desiredHealthy:n
  disruptedPods:{s} disruptionsAllowed:n expectedPods:n observedGeneration:n
PodTemplateSpec: metadata:ObjectMeta spec:PodSpec
DaemonSetUpdateStrategy: rollingUpdate:RollingUpdateDaemonSet type
DaemonSetCondition: lastTransitionTime message reason status type
DeploymentStrategy: rollingUpdate:RollingUpdateDeployment type
DeploymentCondition: lastTransitionTime lastUpdateTime message reason status type
StatefulSetOrdinals: start:n
StatefulSetPersistentVolumeClaimRetentionPolicy: whenDeleted whenScaled
StatefulSetUpdateStrategy: rollingUpdate:RollingUpdateStatefulSetStrategy type
StatefulSetCondition: lastTransitionTime message reason status type
ReplicaSetCondition: lastTransitionTime message reason status type
PodFailurePolicy: rules:[]PodFailurePolicyRule
SuccessPolicy: rules:[]SuccessPolicyRule
JobCondition: lastProbeTime lastTransitionTime message reason status type
UncountedTerminatedPods: failed:[=]s succeeded:[=]s
JobTemplateSpec: metadata:ObjectMeta spec:JobSpec
RollingUpdateDaemonSet: maxSurge:q maxUnavailable:q
RollingUpdateDeployment: maxSurge:q maxUnavailable:q
RollingUpdateStatefulSetStrategy: maxUnavailable:q partition:n
PodFailurePolicyRule: action onExitCodes:PodFailurePolicyOnExitCodesRequirement
  onPodConditions:[]PodFailurePolicyOnPodConditionsPattern
SuccessPolicyRule: succeededCount:n succeededIndexes
PodFailurePolicyOnExitCodesRequirement: containerName operator values:[=]n
PodFailurePolicyOnPodConditionsPattern: status type
`
