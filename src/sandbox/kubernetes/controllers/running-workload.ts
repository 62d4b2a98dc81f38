import { isReady } from '../api/evict-pod.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { objectsAt, textAt } from '../model/read-json.ts'
import type { ClusterContext } from './cluster-context.ts'

/** Whether a pod is one of a program, told by its name or its images. */
export function isOf(pod: KubeObject, program: string): boolean {
  return (
    pod.metadata.name.includes(program) ||
    objectsAt(pod, 'spec', 'containers').some((container) =>
      textAt(container, 'image').includes(program),
    )
  )
}

/** The ready pods of a program, wherever they run. */
export function readyPodsOf({ api }: ClusterContext, program: string): KubeObject[] {
  return api.store.list('pods').filter((pod) => isOf(pod, program) && isReady(pod))
}
