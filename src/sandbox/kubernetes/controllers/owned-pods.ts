import type { JsonObject } from '../../../lib/json.ts'
import { sha256Hex, stableJson } from '../../stable-json.ts'
import { nameSuffix } from '../api/api-context.ts'
import { createObject } from '../api/create-object.ts'
import { deleteObject } from '../api/delete-object.ts'
import { isReady } from '../api/evict-pod.ts'
import { ApiError } from '../model/api-error.ts'
import { type KubeObject, type OwnerReference, objectKey } from '../model/kube-object.ts'
import { objectAt, textAt, textMapAt, textsAt } from '../model/read-json.ts'
import type { ClusterContext } from './cluster-context.ts'
import { recordEvent } from './record-event.ts'

/** How long a workload waits before it tries again to make a pod that was refused. */
export const retryMs = 10_000

export function ownerReference({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  const { name, uid = '' } = metadata
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/** A short word that stands for a template: equal templates, equal words. */
export function templateHash(template: JsonObject): string {
  return sha256Hex(stableJson(template)).slice(0, 10)
}

export interface PodPlan {
  /** The pod's whole name; a random one after the owner's where absent. */
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  /** Changes the template's spec for this one pod. */
  readonly spec?: (spec: JsonObject) => JsonObject
}

/** Makes a pod from its owner's template; false, with an event, where the API refuses it. */
export function createPod(context: ClusterContext, owner: KubeObject, plan: PodPlan = {}): boolean {
  const { api } = context
  const template = objectAt(owner, 'spec', 'template')
  const spec = objectAt(template, 'spec')
  const annotations = textMapAt(template, 'metadata', 'annotations')
  const finalizers = textsAt(template, 'metadata', 'finalizers')
  const { namespace = 'default', name } = owner.metadata
  const pod: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: plan.name ?? `${name}-${nameSuffix(api)}`,
      ...(plan.name === undefined ? { generateName: `${name}-` } : {}),
      namespace,
      labels: { ...textMapAt(template, 'metadata', 'labels'), ...plan.labels },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ownerReferences: [ownerReference(owner)],
    },
    spec: plan.spec?.(spec) ?? spec,
  }
  try {
    createObject(api, api.resources.builtin('pods'), pod, { manager: 'kube-controller-manager' })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    recordEvent(api, owner, {
      type: 'Warning',
      reason: 'FailedCreate',
      message: `Error creating: ${error.message}`,
      source: `${owner.kind.toLowerCase()}-controller`,
    })
    return false
  }
}

export function deletePod({ api }: ClusterContext, pod: KubeObject): void {
  const live = api.store.get('pods', objectKey(pod))
  if (live && live.metadata.deletionTimestamp === undefined) {
    deleteObject(api, api.resources.builtin('pods'), objectKey(pod))
  }
}

/** Pods that count: neither ended nor on their way out. */
export function isActive(pod: KubeObject): boolean {
  const phase = textAt(pod, 'status', 'phase')
  return phase !== 'Succeeded' && phase !== 'Failed' && pod.metadata.deletionTimestamp === undefined
}

/** Which pods go first: those that do least, and of these the youngest. */
export function byUselessness(a: KubeObject, b: KubeObject): number {
  return use(a) - use(b) || age(b) - age(a)
}

function use(pod: KubeObject): number {
  if (textAt(pod, 'spec', 'nodeName') === '') return 0
  if (textAt(pod, 'status', 'phase') === 'Pending') return 1
  return isReady(pod) ? 3 : 2
}

function age(pod: KubeObject): number {
  return Number(pod.metadata.resourceVersion ?? 0)
}

/** A count, or a percentage of `total`, as rollouts and budgets have them. */
export function countOf(value: unknown, total: number, roundUp: boolean): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return 0
  const share = (Number(value.replace('%', '')) / 100) * total
  return roundUp ? Math.ceil(share) : Math.floor(share)
}
