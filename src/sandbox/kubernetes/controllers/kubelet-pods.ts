import { finishDeletion } from '../api/delete-object.ts'
import { controllerOf, type KubeObject, objectKey } from '../model/kube-object.ts'
import { flagAt, numberAt, objectsAt, textAt } from '../model/read-json.ts'
import { type ClusterContext, putStatus } from './cluster-context.ts'
import type { Controller } from './controller.ts'
import { fateOf } from './pod-fate.ts'
import { podAddress } from './pod-network.ts'
import { obstacleOf } from './pod-readiness.ts'
import { crashingStatus, endedStatus, runningStatus, waitingStatus } from './pod-status.ts'
import { recordEvent } from './record-event.ts'

/** The part of kubelets that runs pods: starts what can start, stops what is to go. */
export function kubeletPods(context: ClusterContext): Controller {
  /** Pods, by uid, on their way to running or to their end. */
  const busy = new Set<string>()
  const reconcile = (key: string): undefined => {
    const pod = context.api.store.get('pods', key)
    const node = pod && nodeOf(context, pod)
    if (!pod || !node || busy.has(pod.metadata.uid ?? '')) return undefined
    // Brought back by a restore; a kubelet neither starts nor ends it again before it has restarted.
    if (memoryOf(context, pod).has(pod.metadata.uid ?? '')) return undefined
    if (pod.metadata.deletionTimestamp !== undefined) stop(pod)
    else if (!isSettled(pod)) start(pod, node)
    return undefined
  }
  return {
    name: 'kubelet-pods',
    concerns: ({ resource, object, type }) => {
      if (type === 'DELETED') return []
      switch (resource) {
        case 'pods':
          return [objectKey(object)]
        case 'nodes':
          return context.pods.onNode(object.metadata.name).filter(isUnfinished).map(objectKey)
        case 'secrets':
        case 'configmaps':
        case 'persistentvolumeclaims':
        case 'volumeattachments.storage.k8s.io':
          return waitingIn(context, object.metadata.namespace)
        default:
          return []
      }
    },
    reconcile,
  }

  function start(pod: KubeObject, node: KubeObject): void {
    const obstacle = obstacleOf(context, pod, node)
    if (obstacle) {
      const { waiting, message, event } = obstacle
      const words = waiting === 'ContainerCreating' ? {} : { message }
      const status = waitingStatus(context, pod, node, { reason: waiting, ...words })
      if (putStatus(context, 'pods', pod, status))
        recordPodEvent(context, pod, 'Warning', event, message)
      return
    }
    putStatus(
      context,
      'pods',
      pod,
      waitingStatus(context, pod, node, { reason: 'ContainerCreating' }),
    )
    during(pod, rollOut(context, pod), begin)
  }

  function begin(pod: KubeObject, node: KubeObject): void {
    if (pod.metadata.deletionTimestamp !== undefined || obstacleOf(context, pod, node)) return
    const fate = fateOf(context, pod)
    if (fate === 'crashes') {
      putStatus(context, 'pods', pod, crashingStatus(context, pod, node))
      recordPodEvent(context, pod, 'Warning', 'BackOff', 'Back-off restarting failed container')
      return
    }
    const address = podAddress(context, pod, node)
    const running = runningStatus(context, pod, node, address)
    putStatus(context, 'pods', pod, running)
    for (const container of objectsAt(pod, 'spec', 'containers')) {
      recordPodEvent(
        context,
        pod,
        'Normal',
        'Started',
        `Container started: ${textAt(container, 'name')}`,
      )
    }
    if (fate === 'runs') return
    const exitCode = fate === 'fails' ? 1 : 0
    during(pod, rollOut(context, pod), (live, at) =>
      putStatus(context, 'pods', live, endedStatus(context, live, at, exitCode)),
    )
  }

  function stop(pod: KubeObject): void {
    const grace = (numberAt(pod, 'metadata', 'deletionGracePeriodSeconds') ?? 30) * 1_000
    const needed = Math.min(grace, context.world.latency('power'))
    const pods = context.api.resources.builtin('pods')
    during(pod, needed, (live) => {
      memoryOf(context, live).add(live.metadata.uid ?? '')
      finishDeletion(context.api, pods, live)
    })
  }

  /** Goes on with a pod after a while, if it and its kubelet are still there. */
  function during(
    pod: KubeObject,
    milliseconds: number,
    next: (pod: KubeObject, node: KubeObject) => void,
  ): void {
    const { uid = '' } = pod.metadata
    const key = objectKey(pod)
    busy.add(uid)
    context.later(milliseconds, () => {
      busy.delete(uid)
      const live = context.api.store.get('pods', key)
      const node = live && nodeOf(context, live)
      if (live?.metadata.uid === uid && node) next(live, node)
      reconcile(key)
    })
  }
}

/** How long a pod's containers take to come up, or to end. */
function rollOut({ world }: ClusterContext, pod: KubeObject): number {
  const ms = world.latency('workload-rollout')
  const what = flagAt(pod, 'spec', 'hostNetwork') ? 'host-pod' : 'pod'
  world.noteDelay({ what, target: textAt(pod, 'spec', 'nodeName'), subject: objectKey(pod), ms })
  return ms
}

/** The pod's node, if its kubelet is up. */
function nodeOf({ api, kubelets }: ClusterContext, pod: KubeObject): KubeObject | undefined {
  const name = textAt(pod, 'spec', 'nodeName')
  return kubelets.get(name)?.up ? api.store.get('nodes', name) : undefined
}

/** The pods that the pod's kubelet has ended. */
function memoryOf({ kubelets }: ClusterContext, pod: KubeObject): Set<string> {
  return kubelets.get(textAt(pod, 'spec', 'nodeName'))?.ended ?? new Set()
}

/** Whether a pod has become what it will be: running, ended, or crashing for ever. */
function isSettled(pod: KubeObject): boolean {
  if (isMirror(pod)) return true
  const statuses = objectsAt(pod, 'status', 'containerStatuses')
  return (
    statuses.length > 0 &&
    statuses.every((status) => {
      const waiting = textAt(status, 'state', 'waiting', 'reason')
      return waiting === '' || waiting === 'CrashLoopBackOff'
    })
  )
}

function isUnfinished(pod: KubeObject): boolean {
  return isWaiting(pod) || pod.metadata.deletionTimestamp !== undefined
}

function isMirror(pod: KubeObject): boolean {
  return controllerOf(pod)?.kind === 'Node'
}

function isWaiting(pod: KubeObject): boolean {
  return !isSettled(pod)
}

function waitingIn({ api }: ClusterContext, namespace: string | undefined): string[] {
  return api.store.list('pods', namespace).filter(isWaiting).map(objectKey)
}

function recordPodEvent(
  context: ClusterContext,
  pod: KubeObject,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  const host = textAt(pod, 'spec', 'nodeName')
  recordEvent(context.api, pod, { type, reason, message, source: 'kubelet', host })
}
