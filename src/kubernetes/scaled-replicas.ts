import { isJsonObject } from '../lib/json.ts'
import { fieldAt, type KubernetesObject, listAt, textAt } from '../lib/kubernetes-object.ts'

/** Where controllers of Kubernetes, an autoscaler among them, write as. */
const controllers = 'kube-controller-manager'

/**
 * The object without its number of replicas, where a HorizontalPodAutoscaler sets that of the live one: whoever
 * asks for another number would only fight with it.
 */
export function withoutScaledReplicas(
  object: KubernetesObject,
  live: KubernetesObject | undefined,
): KubernetesObject {
  const spec = fieldAt(object, 'spec')
  if (!isJsonObject(spec) || spec['replicas'] === undefined || !isAutoscaled(live)) return object
  const { replicas: _, ...rest } = spec
  return { ...object, spec: rest }
}

function isAutoscaled(live: KubernetesObject | undefined): boolean {
  return listAt(live, 'metadata', 'managedFields')
    .filter(isJsonObject)
    .some(
      (entry) =>
        textAt(entry, 'manager') === controllers &&
        textAt(entry, 'subresource') === 'scale' &&
        fieldAt(entry, 'fieldsV1', 'f:spec', 'f:replicas') !== undefined,
    )
}
