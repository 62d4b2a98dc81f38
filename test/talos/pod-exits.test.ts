import { expect, it } from 'vitest'
import { countExits, type PodExits } from '../../src/talos/pod-exits.ts'
import type { StaticPodState } from '../../src/talos/static-pod-health.ts'

/** A look at a pod of this version, whose kubelet counts so many restarts; undefined before it has a container. */
function look(version: number, restartCount: number | undefined): StaticPodState {
  const containerStatuses =
    restartCount === undefined
      ? [{ restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } }]
      : [{ restartCount, containerID: 'containerd://a', state: { waiting: {} } }]
  return {
    component: 'kube-apiserver',
    configVersion: String(version),
    isEnabled: true,
    rendered: { configVersion: String(version), at: version * 60_000 },
    status: { containerStatuses },
  }
}

/** How many exits count against what is rendered now, after these looks. */
function ownExits(...looks: StaticPodState[]): number {
  let last: PodExits | undefined
  for (const state of looks) last = countExits(state, last)
  return last === undefined ? 0 : last.counted - last.former
}

it('exits count from look to look while the same is rendered', () => {
  expect(ownExits(look(1, 0), look(1, 2), look(1, 3))).toBe(3)
  // Nobody knows of another instance.
  expect(ownExits(look(1, 9))).toBe(9)
})

it('after another rendering the exits until then are those of the former pod', () => {
  expect(ownExits(look(1, 3), look(2, 3))).toBe(0)
  expect(ownExits(look(1, 3), look(2, 3), look(2, 4))).toBe(1)
})

it('another pod begins to count again, and all that it counts is its own', () => {
  expect(ownExits(look(1, 3), look(2, 3), look(2, 0), look(2, 3))).toBe(3)
  expect(ownExits(look(1, 3), look(2, 1), look(2, 3))).toBe(3)
})

it('a pod without a container yet is not one that counts again', () => {
  // A kubelet goes on counting where the pod has the uid of one before.
  expect(ownExits(look(1, 3), look(2, undefined), look(2, 4))).toBe(1)
})
