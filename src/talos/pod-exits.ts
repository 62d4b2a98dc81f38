import { containerOf, type StaticPodState } from './static-pod-health.ts'

/** How often a static pod's container ended, as one look at the node after the other saw it. */
export interface PodExits {
  /** What Talos had rendered then. */
  readonly rendering: string
  /** As the kubelet counts. */
  readonly counted: number
  /** Those of the count that an instance before this rendering is to blame for. */
  readonly former: number
}

/** What Talos has rendered of a static pod: another text after each rendering. */
export function renderingOf({ rendered }: StaticPodState): string {
  return JSON.stringify(rendered) ?? ''
}

/**
 * Counts the exits of a static pod on from the look before. A pod's status names neither its config nor its uid,
 * and stays that of the former pod until the kubelet has taken the new one up: after a rendering, what was
 * counted until then is the former's, until the count starts over, as it does for another pod. Pure.
 */
export function countExits(state: StaticPodState, last: PodExits | undefined): PodExits {
  const rendering = renderingOf(state)
  const container = containerOf(state.status)
  // Without a container the kubelet has not begun to count.
  const isCounted = container !== undefined && container.id !== ''
  const counted = isCounted ? container.exits : (last?.counted ?? 0)
  if (last === undefined || counted < last.counted) return { rendering, counted, former: 0 }
  return { rendering, counted, former: rendering === last.rendering ? last.former : last.counted }
}
