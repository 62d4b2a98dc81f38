import type { Json } from '../lib/json.ts'
import {
  fieldAt,
  type KubernetesObject,
  listAt,
  numberAt,
  textAt,
} from '../lib/kubernetes-object.ts'

export interface ReadinessOptions {
  /**
   * How many pods of a DaemonSet may be missing, because that many nodes that are not ours are not
   * Ready: they would otherwise hold up everything for ever.
   */
  readonly excusedPods?: number
}

/**
 * Why an object does not do its work yet, as half a sentence; undefined when it does. In the manner of
 * kstatus, but stricter where an answer could be too early: a DaemonSet that wants no pods at all is
 * not ready, since its controller may not have seen the nodes yet. Kinds without a status are ready.
 */
export function notReadyBecause(
  object: KubernetesObject,
  options: ReadinessOptions = {},
): string | undefined {
  const judge = judges[object.kind]
  if (!judge) return undefined
  const generation = numberAt(object, 'metadata', 'generation')
  const observed = numberAt(object, 'status', 'observedGeneration')
  if (observed !== undefined && generation !== undefined && observed < generation) {
    return 'its controller has not seen the newest change yet'
  }
  return judge(object, options)
}

type Judge = (object: KubernetesObject, options: ReadinessOptions) => string | undefined

const judges: Readonly<Record<string, Judge>> = {
  DaemonSet: (object, { excusedPods = 0 }) => {
    const status = counts(object)
    const wanted = status('desiredNumberScheduled')
    if (wanted === 0) return 'it has no node to run on yet'
    const enough = Math.max(0, wanted - excusedPods)
    if (!usesOnDelete(object) && status('updatedNumberScheduled') < enough) {
      return `${status('updatedNumberScheduled')} of ${wanted} pods are of the newest version`
    }
    if (status('numberAvailable') >= enough) return undefined
    return `${status('numberAvailable')} of ${wanted} pods are available`
  },

  Deployment: (object) => {
    const status = counts(object)
    const wanted = numberAt(object, 'spec', 'replicas') ?? 1
    if (condition(object, 'Progressing')?.reason === 'ProgressDeadlineExceeded') {
      return 'it has made no progress within its deadline'
    }
    if (status('updatedReplicas') < wanted) {
      return `${status('updatedReplicas')} of ${wanted} pods are of the newest version`
    }
    if (status('replicas') > status('updatedReplicas')) return 'old pods are still being removed'
    if (status('availableReplicas') >= wanted) return undefined
    return `${status('availableReplicas')} of ${wanted} pods are available`
  },

  StatefulSet: (object) => {
    const status = counts(object)
    const wanted = numberAt(object, 'spec', 'replicas') ?? 1
    if (status('readyReplicas') < wanted) {
      return `${status('readyReplicas')} of ${wanted} pods are ready`
    }
    if (usesOnDelete(object)) return undefined
    const same =
      textAt(object, 'status', 'currentRevision') === textAt(object, 'status', 'updateRevision')
    return same ? undefined : 'its pods are still being replaced'
  },

  Job: (object) => {
    const failed = condition(object, 'Failed')
    if (failed?.status === 'True') return `it failed: ${failed.reason}`
    return condition(object, 'Complete')?.status === 'True' ? undefined : 'it still runs'
  },

  Pod: (object) =>
    condition(object, 'Ready')?.status === 'True'
      ? undefined
      : `it is ${textAt(object, 'status', 'phase') ?? 'unknown'}`,

  PersistentVolumeClaim: (object) => {
    const phase = textAt(object, 'status', 'phase')
    return phase === 'Bound' ? undefined : `it is ${phase ?? 'unknown'}`
  },

  CustomResourceDefinition: (object) => needsCondition(object, 'Established'),
  APIService: (object) => needsCondition(object, 'Available'),

  Service: (object) => {
    if (textAt(object, 'spec', 'type') !== 'LoadBalancer') return undefined
    const ingress = listAt(object, 'status', 'loadBalancer', 'ingress')
    return ingress.length > 0 ? undefined : 'its load balancer has no address yet'
  },
}

function needsCondition(object: KubernetesObject, type: string): string | undefined {
  const found = condition(object, type)
  if (found?.status === 'True') return undefined
  return found ? `it is not ${type}: ${found.reason}` : `it is not ${type} yet`
}

/** A condition of an object's status, such as a node's `Ready`. */
export function condition(
  object: Json,
  type: string,
): { status: string; reason: string; message: string } | undefined {
  const found = listAt(object, 'status', 'conditions').find((one) => textAt(one, 'type') === type)
  if (found === undefined) return undefined
  return {
    status: textAt(found, 'status') ?? 'Unknown',
    reason: textAt(found, 'reason') ?? 'no reason given',
    message: textAt(found, 'message') ?? '',
  }
}

function counts(object: KubernetesObject): (name: string) => number {
  return (name) => numberAt(object, 'status', name) ?? 0
}

function usesOnDelete(object: KubernetesObject): boolean {
  return fieldAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete'
}
