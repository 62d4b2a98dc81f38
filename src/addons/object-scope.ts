import { type KubernetesObject, textAt } from '../lib/kubernetes-object.ts'

/** Kinds of Kubernetes and of the Gateway API that live in no namespace. */
const inNoNamespace =
  /^(ClusterRole(Binding)?|Namespace|CustomResourceDefinition|(Mutating|Validating)WebhookConfiguration|(Mutating|Validating)AdmissionPolicy(Binding)?|FlowSchema|PriorityLevelConfiguration|VolumeAttributesClass|APIService|(Storage|Ingress|Priority|Runtime|Gateway)Class|CSIDriver|PersistentVolume)$/

/** The CRDs among objects. */
export function definitionsIn(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects.filter(({ kind }) => kind === 'CustomResourceDefinition')
}

/**
 * Whether objects of a kind live in a namespace, as far as that is known without asking a cluster: kinds that are
 * defined by `definitions` go by them.
 */
export function livesInNamespace(
  { apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>,
  definitions: readonly KubernetesObject[] = [],
): boolean {
  const [group] = apiVersion.split('/')
  const own = definitions.find(
    (definition) =>
      textAt(definition, 'spec', 'group') === group &&
      textAt(definition, 'spec', 'names', 'kind') === kind,
  )
  return own ? textAt(own, 'spec', 'scope') === 'Namespaced' : !inNoNamespace.test(kind)
}
