import { builtinSchema } from '../schema/builtin-schema.ts'
import type { ResourceType } from './resource-type.ts'

/**
 * The built-in resources: `plural Kind scope short,names subresources`, where scope is `ns` or `-`
 * for the cluster, and a dash stands for none.
 */
const table = `
v1
  bindings Binding ns - virtual
  configmaps ConfigMap ns cm -
  endpoints Endpoints ns ep -
  events Event ns ev -
  limitranges LimitRange ns limits -
  namespaces Namespace - ns status,finalize
  nodes Node - no status
  persistentvolumeclaims PersistentVolumeClaim ns pvc status
  persistentvolumes PersistentVolume - pv status
  pods Pod ns po status,eviction,log,binding
  resourcequotas ResourceQuota ns quota status
  secrets Secret ns - -
  serviceaccounts ServiceAccount ns sa -
  services Service ns svc status
admissionregistration.k8s.io/v1
  mutatingwebhookconfigurations MutatingWebhookConfiguration - - -
  validatingadmissionpolicies ValidatingAdmissionPolicy - - status
  validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding - - -
  validatingwebhookconfigurations ValidatingWebhookConfiguration - - -
apiextensions.k8s.io/v1
  customresourcedefinitions CustomResourceDefinition - crd,crds status
apiregistration.k8s.io/v1
  apiservices APIService - - status
apps/v1
  controllerrevisions ControllerRevision ns - -
  daemonsets DaemonSet ns ds status
  deployments Deployment ns deploy status,scale
  replicasets ReplicaSet ns rs status,scale
  statefulsets StatefulSet ns sts status,scale
authentication.k8s.io/v1
  selfsubjectreviews SelfSubjectReview - - virtual
authorization.k8s.io/v1
  selfsubjectaccessreviews SelfSubjectAccessReview - - virtual
  selfsubjectrulesreviews SelfSubjectRulesReview - - virtual
autoscaling/v2
  horizontalpodautoscalers HorizontalPodAutoscaler ns hpa status
batch/v1
  cronjobs CronJob ns cj status
  jobs Job ns - status
certificates.k8s.io/v1
  certificatesigningrequests CertificateSigningRequest - csr status,approval
coordination.k8s.io/v1
  leases Lease ns - -
discovery.k8s.io/v1
  endpointslices EndpointSlice ns - -
networking.k8s.io/v1
  ingressclasses IngressClass - - -
  ingresses Ingress ns ing status
  networkpolicies NetworkPolicy ns netpol -
node.k8s.io/v1
  runtimeclasses RuntimeClass - - -
policy/v1
  poddisruptionbudgets PodDisruptionBudget ns pdb status
rbac.authorization.k8s.io/v1
  clusterrolebindings ClusterRoleBinding - - -
  clusterroles ClusterRole - - -
  rolebindings RoleBinding ns - -
  roles Role ns - -
scheduling.k8s.io/v1
  priorityclasses PriorityClass - pc -
storage.k8s.io/v1
  csidrivers CSIDriver - - -
  csinodes CSINode - - -
  storageclasses StorageClass - sc -
  volumeattachments VolumeAttachment - - status
`

const inCategoryAll = new Set([
  'pods',
  'services',
  'daemonsets',
  'deployments',
  'replicasets',
  'statefulsets',
  'horizontalpodautoscalers',
  'cronjobs',
  'jobs',
])

/** Every resource that an API server has before anybody installs anything. */
export function builtinResources(): ResourceType[] {
  let groupVersion = { group: '', version: 'v1' }
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith(' ')) return [readLine(line.trim().split(' '), groupVersion)]
      const slash = line.indexOf('/')
      groupVersion =
        slash < 0
          ? { group: '', version: line }
          : { group: line.slice(0, slash), version: line.slice(slash + 1) }
      return []
    })
}

function readLine(
  [plural = '', kind = '', scope, short, subresources]: string[],
  groupVersion: { group: string; version: string },
): ResourceType {
  const virtual = subresources === 'virtual'
  return {
    ...groupVersion,
    plural,
    kind,
    singular: kind.toLowerCase(),
    namespaced: scope === 'ns',
    shortNames: words(short),
    categories: inCategoryAll.has(plural) ? ['all'] : [],
    subresources: virtual ? [] : words(subresources),
    schema: virtual
      ? { kind: 'struct', fields: new Map(), atomic: false, open: true }
      : builtinSchema(kind),
    ...(virtual ? { virtual } : {}),
  }
}

function words(text = '-'): string[] {
  return text === '-' ? [] : text.split(',')
}
