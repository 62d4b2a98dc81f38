import type { KubeObject } from '../model/kube-object.ts'
import { objectAt, objectsAt, textAt } from '../model/read-json.ts'
import type { ClusterContext } from './cluster-context.ts'

/** What an environment variable of a pod holds, also where it comes from a Secret; empty for nothing. */
export function variableOf(
  { api }: ClusterContext,
  pod: KubeObject | undefined,
  name: string,
): string {
  const variable = objectsAt(pod, 'spec', 'containers')
    .flatMap((container) => objectsAt(container, 'env'))
    .find((one) => textAt(one, 'name') === name)
  const value = textAt(variable, 'value')
  if (value !== '') return value
  const reference = objectAt(variable, 'valueFrom', 'secretKeyRef')
  const key = `${pod?.metadata.namespace}/${textAt(reference, 'name')}`
  const encoded = textAt(api.store.get('secrets', key), 'data', textAt(reference, 'key'))
  return Buffer.from(encoded, 'base64').toString()
}
