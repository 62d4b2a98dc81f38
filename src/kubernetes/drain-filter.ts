import {
  describeRef,
  fieldAt,
  type KubernetesObject,
  listAt,
  refOf,
  textAt,
  textsAt,
} from '../lib/kubernetes-object.ts'

export interface DrainPolicy {
  /** Leaves pods of DaemonSets where they are; without it they are an obstacle. */
  readonly ignoreDaemonSets: boolean
  /** Evicts pods although that deletes what they keep in an emptyDir. */
  readonly deleteEmptyDirData: boolean
  /** Evicts pods that nothing will recreate. */
  readonly force: boolean
  /** Pods that have been terminating for longer than this are no longer waited for. */
  readonly skipTerminatingAfterMs: number
}

export interface DrainVerdict {
  readonly evict: readonly KubernetesObject[]
  /** Pods that stay, and why that is all right. */
  readonly stay: readonly KubernetesObject[]
  readonly warnings: readonly string[]
  /** Reasons not to evict anything at all. */
  readonly obstacles: readonly string[]
}

export interface DrainWorld {
  readonly now: number
  /** Whether a DaemonSet of this namespace and name exists. */
  readonly daemonSetExists: (namespace: string, name: string) => boolean
}

type Judgement =
  | { readonly verdict: 'evict'; readonly warning?: string }
  | { readonly verdict: 'stay' }
  | { readonly verdict: 'obstacle'; readonly why: string }

/** Sorts the pods of a node as `kubectl drain` does, filter by filter in the same order. Pure. */
export function judgePods(
  pods: readonly KubernetesObject[],
  policy: DrainPolicy,
  world: DrainWorld,
): DrainVerdict {
  const evict: KubernetesObject[] = []
  const stay: KubernetesObject[] = []
  const warnings: string[] = []
  const obstacles: string[] = []
  for (const pod of pods) {
    const judgement = judgePod(pod, policy, world)
    if (judgement.verdict === 'obstacle') obstacles.push(`${nameOf(pod)} ${judgement.why}`)
    else if (judgement.verdict === 'stay') stay.push(pod)
    else {
      evict.push(pod)
      if (judgement.warning !== undefined) warnings.push(`${nameOf(pod)} ${judgement.warning}`)
    }
  }
  return { evict, stay, warnings, obstacles }
}

function judgePod(pod: KubernetesObject, policy: DrainPolicy, world: DrainWorld): Judgement {
  if (terminatingForMs(pod, world.now) > policy.skipTerminatingAfterMs) return { verdict: 'stay' }
  return (
    judgeDaemonSetPod(pod, policy, world) ??
    judgeMirrorPod(pod) ??
    judgeLocalStorage(pod, policy) ??
    judgeUnmanaged(pod, policy) ?? { verdict: 'evict' }
  )
}

function judgeDaemonSetPod(
  pod: KubernetesObject,
  policy: DrainPolicy,
  world: DrainWorld,
): Judgement | undefined {
  const owner = controllerOf(pod)
  if (owner?.kind !== 'DaemonSet' || isFinished(pod)) return undefined
  if (world.daemonSetExists(textAt(pod, 'metadata', 'namespace') ?? '', owner.name)) {
    if (policy.ignoreDaemonSets) return { verdict: 'stay' }
    return { verdict: 'obstacle', why: 'belongs to a DaemonSet' }
  }
  if (policy.force) return { verdict: 'evict', warning: 'belongs to a DaemonSet that is gone' }
  return { verdict: 'obstacle', why: `belongs to the DaemonSet ${owner.name}, which is gone` }
}

/** Static pods: the kubelet runs them whatever the API says. */
function judgeMirrorPod(pod: KubernetesObject): Judgement | undefined {
  const mirror = 'kubernetes.io/config.mirror' in textsAt(pod, 'metadata', 'annotations')
  return mirror ? { verdict: 'stay' } : undefined
}

function judgeLocalStorage(pod: KubernetesObject, policy: DrainPolicy): Judgement | undefined {
  const local = listAt(pod, 'spec', 'volumes').some((volume) => fieldAt(volume, 'emptyDir'))
  if (!local || isFinished(pod) || policy.deleteEmptyDirData) return undefined
  return { verdict: 'obstacle', why: 'keeps data in an emptyDir, which would be deleted' }
}

function judgeUnmanaged(pod: KubernetesObject, policy: DrainPolicy): Judgement | undefined {
  if (controllerOf(pod) || isFinished(pod)) return undefined
  if (policy.force) return { verdict: 'evict', warning: 'has no controller and will not come back' }
  return { verdict: 'obstacle', why: 'has no controller and would not come back' }
}

function controllerOf(pod: KubernetesObject): { kind: string; name: string } | undefined {
  const owner = listAt(pod, 'metadata', 'ownerReferences').find(
    (reference) => fieldAt(reference, 'controller') === true,
  )
  if (owner === undefined) return undefined
  return { kind: textAt(owner, 'kind') ?? '', name: textAt(owner, 'name') ?? '' }
}

function isFinished(pod: KubernetesObject): boolean {
  const phase = textAt(pod, 'status', 'phase')
  return phase === 'Succeeded' || phase === 'Failed'
}

function terminatingForMs(pod: KubernetesObject, now: number): number {
  const since = textAt(pod, 'metadata', 'deletionTimestamp')
  return since === undefined ? 0 : now - Date.parse(since)
}

function nameOf(pod: KubernetesObject): string {
  return describeRef(refOf(pod))
}
