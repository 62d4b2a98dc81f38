import { isJsonObject } from '../lib/json.ts'
import { fieldAt, type KubernetesObject, listAt, textAt } from '../lib/kubernetes-object.ts'
import type { KubernetesClient } from './kubernetes-client.ts'

/** Where controllers of Kubernetes, an autoscaler among them, write as. */
const controllers = 'kube-controller-manager'
const autoscalers = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' } as const

/**
 * The object without its number of replicas, where a HorizontalPodAutoscaler sets that of the live one: whoever
 * asks for another number would only fight with it. What one wrote stays marked after it is gone, so it is looked for.
 */
export async function withoutScaledReplicas(
  client: KubernetesClient,
  object: KubernetesObject,
  live: KubernetesObject | undefined,
): Promise<KubernetesObject> {
  const spec = fieldAt(object, 'spec')
  if (!isJsonObject(spec) || spec['replicas'] === undefined || !live || !wasScaled(live)) {
    return object
  }
  if (!(await hasAutoscaler(client, live))) return object
  const { replicas: _, ...rest } = spec
  return { ...object, spec: rest }
}

function wasScaled(live: KubernetesObject): boolean {
  return listAt(live, 'metadata', 'managedFields')
    .filter(isJsonObject)
    .some(
      (entry) =>
        textAt(entry, 'manager') === controllers &&
        textAt(entry, 'subresource') === 'scale' &&
        fieldAt(entry, 'fieldsV1', 'f:spec', 'f:replicas') !== undefined,
    )
}

async function hasAutoscaler(
  client: KubernetesClient,
  { kind, metadata }: KubernetesObject,
): Promise<boolean> {
  const { resourceOf } = await client.discovery()
  if (!resourceOf(autoscalers.apiVersion, autoscalers.kind)) return false
  const namespace = textAt(metadata, 'namespace')
  const found = await client.list({ ...autoscalers, ...(namespace ? { namespace } : {}) })
  return found.some((autoscaler) => {
    const target = fieldAt(autoscaler, 'spec', 'scaleTargetRef')
    return textAt(target, 'kind') === kind && textAt(target, 'name') === textAt(metadata, 'name')
  })
}
