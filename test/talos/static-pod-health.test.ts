import { expect, it } from 'vitest'
import type { Json } from '../../src/lib/json.ts'
import { type StaticPodState, staticPodProblem } from '../../src/talos/static-pod-health.ts'

const rendered = { configVersion: '3', at: Date.parse('2026-11-28T10:00:00.700Z') }

/** A pod whose container is in this state, rendered at ten o'clock. */
function pod(container: Record<string, Json>, more: Partial<StaticPodState> = {}): StaticPodState {
  return {
    component: 'kube-apiserver',
    configVersion: '3',
    isEnabled: true,
    rendered,
    status: {
      containerStatuses: [{ containerID: 'containerd://a', restartCount: 0, ...container }],
    },
    ...more,
  }
}

const running = (startedAt: string) => ({ state: { running: { startedAt } } })
const crashed = (restartCount: number, startedAt: string) => ({
  restartCount,
  ready: false,
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { exitCode: 1, startedAt } },
})

it('a container that was started since the pod was rendered and is Ready is healthy', () => {
  expect(staticPodProblem(pod({ ready: true, ...running('2026-11-28T10:00:05Z') }))).toBeUndefined()
  // Kubelets count whole seconds.
  expect(staticPodProblem(pod({ ready: true, ...running('2026-11-28T10:00:00Z') }))).toBeUndefined()
})

it('one that runs since before is the former one, however Ready it is', () => {
  const former = pod({ ready: true, ...running('2026-11-28T09:00:00Z') })
  expect(staticPodProblem(former)).toMatchObject({
    isFinal: false,
    reason: 'it still runs with its former config',
  })
})

it('one whose health endpoint does not answer is waited for', () => {
  const starts = pod({ ready: false, ...running('2026-11-28T10:00:05Z') })
  expect(staticPodProblem(starts)).toMatchObject({ isFinal: false })
})

it('one that ends again and again is given up, but not for what its predecessor did', () => {
  expect(staticPodProblem(pod(crashed(1, '2026-11-28T10:00:09Z')))).toMatchObject({
    isFinal: false,
  })
  expect(staticPodProblem(pod(crashed(3, '2026-11-28T10:01:00Z')))).toMatchObject({
    isFinal: true,
    reason: 'it exited 3 times, the last time with code 1',
  })
  expect(staticPodProblem(pod(crashed(9, '2026-11-28T09:59:00Z')))).toMatchObject({
    isFinal: false,
  })
})

it('a container that started right after the pod was rendered may still be the former pod: nothing is given up for it', () => {
  // The kubelet asks for its pods every 20 seconds, and starts what it has until then.
  for (const startedAt of [
    '2026-11-28T09:59:59Z',
    '2026-11-28T10:00:00Z',
    '2026-11-28T10:00:19Z',
  ]) {
    expect(staticPodProblem(pod(crashed(3, startedAt)))).toMatchObject({ isFinal: false })
  }
  expect(staticPodProblem(pod(crashed(3, '2026-11-28T10:00:31Z')))).toMatchObject({ isFinal: true })
})

it('exits of a former instance are neither counted nor reported', () => {
  const late = pod(crashed(4, '2026-11-28T10:00:45Z'))
  expect(staticPodProblem(late, 3)).toMatchObject({
    isFinal: false,
    reason: 'it exited once, the last time with code 1',
  })
  expect(staticPodProblem(late, 4)).toMatchObject({
    isFinal: false,
    reason: 'its kubelet has not started it with this config',
  })
  expect(staticPodProblem(pod(crashed(6, '2026-11-28T10:03:00Z')), 3)).toMatchObject({
    isFinal: true,
    reason: 'it exited 3 times, the last time with code 1',
  })
})

it('a pod that Talos does not render from its settings says that it may refuse an argument', () => {
  const stale = pod({ ready: true, ...running('2026-11-28T10:00:05Z') }, { configVersion: '4' })
  expect(staticPodProblem(stale)?.reason).toContain('it may refuse an argument')
  expect(staticPodProblem({ ...stale, rendered: undefined })?.reason).toContain('not rendered')
})

it('one that is switched off is no problem, and one that nobody has heard of is one', () => {
  expect(staticPodProblem(pod({}, { isEnabled: false, rendered: undefined }))).toBeUndefined()
  expect(staticPodProblem(pod({}, { status: undefined }))?.reason).toBe(
    'its kubelet has not started it',
  )
})
