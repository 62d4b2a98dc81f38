import { controllerOf, type KubeObject } from '../model/kube-object.ts'
import { objectsAt, textAt } from '../model/read-json.ts'
import type { ClusterContext } from './cluster-context.ts'

/** What becomes of a pod that has started. */
export type PodFate = 'runs' | 'completes' | 'fails' | 'crashes'

/** Annotation by which a test, or a fault, decides a pod's fate. */
export const fateAnnotation = 'sandbox/fate'

/**
 * Pods of jobs end well, others run on. An annotation of the pod decides otherwise; and releases of
 * the Hetzner cloud controller manager before 1.30.1 crash, since the API field that they read is gone.
 */
export function fateOf(_: ClusterContext, pod: KubeObject): PodFate {
  const asked = pod.metadata.annotations?.[fateAnnotation]
  if (asked === 'fails' || asked === 'crashes' || asked === 'completes') return asked
  const images = objectsAt(pod, 'spec', 'containers').map((container) => textAt(container, 'image'))
  if (images.some(isPanickingCcm)) return 'crashes'
  const isJob = controllerOf(pod)?.kind === 'Job'
  return isJob || textAt(pod, 'spec', 'restartPolicy') !== 'Always' ? 'completes' : 'runs'
}

function isPanickingCcm(image: string): boolean {
  const version = /hcloud-cloud-controller-manager:v?(\d+)\.(\d+)\.(\d+)/.exec(image)
  if (!version) return false
  const [major = 0, minor = 0, patch = 0] = version.slice(1).map(Number)
  return major * 1e6 + minor * 1e3 + patch < 1_030_001
}
