import type { JsonObject } from '../../../lib/json.ts'
import { timestamp } from '../api/api-context.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { numberAt, objectAt, objectsAt, textAt } from '../model/read-json.ts'
import type { ClusterContext } from './cluster-context.ts'
import { type ConditionChange, withCondition } from './conditions.ts'
import { hostAddress } from './pod-network.ts'

/** A pod's status while it waits to start, with the word that `kubectl get` shows. */
export function waitingStatus(
  context: ClusterContext,
  pod: KubeObject,
  node: KubeObject,
  waiting: { readonly reason: string; readonly message?: string },
): JsonObject {
  const state = { waiting }
  const notReady = {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${containerNames(pod).join(' ')}]`,
  } as const
  return {
    ...addressed(context, pod, node),
    phase: textAt(pod, 'status', 'phase') === 'Running' ? 'Running' : 'Pending',
    conditions: conditions(context, pod, {
      PodReadyToStartContainers: { status: 'False' },
      Initialized: { status: 'True' },
      Ready: notReady,
      ContainersReady: notReady,
    }),
    containerStatuses: containerStatuses(pod, (before) => ({
      ...before,
      ready: false,
      started: false,
      state,
    })),
  }
}

/** A pod's status when all of its containers run and are ready. */
export function runningStatus(
  context: ClusterContext,
  pod: KubeObject,
  node: KubeObject,
  podIP: string,
): JsonObject {
  const now = timestamp(context.api)
  const fine = { status: 'True' } as const
  return {
    ...addressed(context, pod, node),
    phase: 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: conditions(context, pod, {
      PodReadyToStartContainers: fine,
      Initialized: fine,
      Ready: fine,
      ContainersReady: fine,
    }),
    ...initStatuses(pod, now),
    containerStatuses: containerStatuses(pod, (before) => ({
      ...before,
      ready: true,
      started: true,
      state: { running: { startedAt: now } },
    })),
  }
}

/** A pod's status when its containers have ended, well or not. */
export function endedStatus(
  context: ClusterContext,
  pod: KubeObject,
  node: KubeObject,
  exitCode: number,
): JsonObject {
  const now = timestamp(context.api)
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  const done = { status: 'False', reason: exitCode === 0 ? 'PodCompleted' : 'PodFailed' } as const
  return {
    ...objectAt(pod, 'status'),
    ...addressed(context, pod, node),
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    conditions: conditions(context, pod, {
      PodReadyToStartContainers: { status: 'False' },
      Initialized: { status: 'True' },
      Ready: done,
      ContainersReady: done,
    }),
    containerStatuses: containerStatuses(pod, (before) => ({
      ...before,
      ready: false,
      started: false,
      state: { terminated: { exitCode, reason, startedAt: now, finishedAt: now } },
    })),
  }
}

/** A pod whose container ends as soon as it is started, again and again. */
export function crashingStatus(
  context: ClusterContext,
  pod: KubeObject,
  node: KubeObject,
): JsonObject {
  const now = timestamp(context.api)
  const [name = ''] = containerNames(pod)
  const waiting = {
    reason: 'CrashLoopBackOff',
    message: `back-off 5m0s restarting failed container=${name} pod=${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`,
  }
  const status = waitingStatus(context, pod, node, waiting)
  return {
    ...status,
    phase: 'Running',
    containerStatuses: objectsAt(status, 'containerStatuses').map((container) => ({
      ...container,
      restartCount: 5,
      lastState: { terminated: { exitCode: 2, reason: 'Error', startedAt: now, finishedAt: now } },
    })),
  }
}

/** What is left of a running pod's status when its node has booted: nothing runs any more. */
export function rebootedStatus(
  context: ClusterContext,
  pod: KubeObject,
  node: KubeObject,
): JsonObject {
  const status = waitingStatus(context, pod, node, { reason: 'ContainerCreating' })
  return {
    ...status,
    containerStatuses: objectsAt(status, 'containerStatuses').map((container) => ({
      ...container,
      restartCount: (numberAt(container, 'restartCount') ?? 0) + 1,
    })),
  }
}

function addressed(context: ClusterContext, pod: KubeObject, node: KubeObject): JsonObject {
  const status = objectAt(pod, 'status')
  const hostIP = hostAddress(node)
  return {
    ...status,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    startTime: status['startTime'] ?? timestamp(context.api),
  }
}

function conditions(
  context: ClusterContext,
  pod: KubeObject,
  changes: Readonly<Record<string, Omit<ConditionChange, 'type'>>>,
): JsonObject[] {
  const now = timestamp(context.api)
  return Object.entries(changes).reduce(
    (list, [type, change]) =>
      withCondition(list, { type, ...change }, now, { lastProbeTime: null }),
    objectsAt(pod, 'status', 'conditions'),
  )
}

function containerNames(pod: KubeObject): string[] {
  return objectsAt(pod, 'spec', 'containers').map((container) => textAt(container, 'name'))
}

function containerStatuses(
  pod: KubeObject,
  next: (before: JsonObject) => JsonObject,
): JsonObject[] {
  const before = objectsAt(pod, 'status', 'containerStatuses')
  return objectsAt(pod, 'spec', 'containers').map((container) => {
    const name = textAt(container, 'name')
    const image = textAt(container, 'image')
    const known = before.find((status) => textAt(status, 'name') === name)
    return next(
      known ?? {
        name,
        image,
        imageID: image,
        restartCount: 0,
        lastState: {},
        containerID: `containerd://${pod.metadata.uid}-${name}`,
      },
    )
  })
}

function initStatuses(pod: KubeObject, now: string): JsonObject {
  const containers = objectsAt(pod, 'spec', 'initContainers')
  if (containers.length === 0) return {}
  return {
    initContainerStatuses: containers.map((container) => ({
      name: textAt(container, 'name'),
      image: textAt(container, 'image'),
      imageID: textAt(container, 'image'),
      restartCount: 0,
      lastState: {},
      ready: true,
      started: false,
      state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now } },
    })),
  }
}
