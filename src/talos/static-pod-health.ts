import { isJsonObject, type Json } from '../lib/json.ts'
import type { NodeComponent } from './config/node-component.ts'

/** What is wrong with a component of Kubernetes on a node. */
export interface ComponentProblem {
  readonly component: string
  /** As half a sentence: `it exited 4 times, the last time with code 1`. */
  readonly reason: string
  /** Whether waiting longer would not help. */
  readonly isFinal: boolean
}

/** What a node holds of a static pod: what it is to be, and what its kubelet says of it. */
export interface StaticPodState {
  readonly component: NodeComponent
  /** The version of the settings that Talos read from the machine config; undefined where it has none. */
  readonly configVersion: string | undefined
  /** Whether the settings say that it is to run. */
  readonly isEnabled: boolean
  /** The pod as Talos rendered it, and when; undefined where it did not. */
  readonly rendered: { readonly configVersion: string; readonly at: number } | undefined
  /** The pod's status as the node's kubelet tells it, without any Kubernetes API. */
  readonly status: unknown
}

/** After how many exits a container that is started again and again is given up. */
const crashesToGiveUp = 3
/** Clocks of the node agree with one another; its kubelet counts whole seconds. */
const slackMs = 2_000
/** Kubelets ask Talos this often for their pods: until then the former pod's container is started again. */
const kubeletAsksEveryMs = 20_000

/**
 * What is wrong with a static pod: it is not the one that was asked for, or is not healthy. Of the exits that
 * its kubelet counts, `formerExits` are those of an instance before it, which do not count against it. Pure.
 */
export function staticPodProblem(
  state: StaticPodState,
  formerExits = 0,
): ComponentProblem | undefined {
  const { component, configVersion, isEnabled, rendered, status } = state
  if (configVersion !== undefined && !isEnabled) return undefined
  const pending = (reason: string) => ({ component, reason, isFinal: false })
  if (configVersion === undefined || rendered === undefined) {
    return pending('Talos has not rendered its pod')
  }
  if (rendered.configVersion !== configVersion) {
    return pending('Talos does not render its pod from this config: it may refuse an argument')
  }
  const container = containerOf(status)
  if (container === undefined) return pending('its kubelet has not started it')
  if (container.startedAt === undefined)
    return exitProblem(container, rendered.at, state, formerExits)
  if (!isSince(container.startedAt, rendered.at)) {
    return pending('it still runs with its former config')
  }
  return container.isReady ? undefined : pending('its health endpoint does not answer yet')
}

/** What is wrong with a container that does not run: it ended, or was never started. */
function exitProblem(
  { exits, exitCode, lastStartedAt, waitsFor }: ContainerState,
  renderedAt: number,
  { component }: StaticPodState,
  formerExits: number,
): ComponentProblem {
  const pending = (reason: string) => ({ component, reason, isFinal: false })
  if (exitCode === undefined) return pending(waitsFor ?? 'it starts')
  const own = exits - formerExits
  if (own <= 0 || lastStartedAt === undefined || !isSince(lastStartedAt, renderedAt)) {
    return pending('its kubelet has not started it with this config')
  }
  return {
    component,
    reason: `it exited ${times(own)}, the last time with code ${exitCode}`,
    isFinal: own >= crashesToGiveUp && lastStartedAt >= renderedAt + kubeletAsksEveryMs,
  }
}

function isSince(at: number, renderedAt: number): boolean {
  return at >= renderedAt - slackMs
}

/** Identifies an instance of a static pod's container: another one after each start. */
export function instanceOf({ status }: StaticPodState): string {
  const container = containerOf(status)
  return `${container?.id ?? ''}/${container?.exits ?? 0}`
}

interface ContainerState {
  readonly id: string
  readonly isReady: boolean
  readonly startedAt: number | undefined
  readonly exits: number
  readonly exitCode: number | undefined
  readonly lastStartedAt: number | undefined
  readonly waitsFor: string | undefined
  /** The container whose log says why it ended; the present one where none has ended. */
  readonly endedId: string
}

/** The first container of a pod's status. */
export function containerOf(status: unknown): ContainerState | undefined {
  const [first] = listAt(status, 'containerStatuses')
  if (!isJsonObject(first)) return undefined
  const { running, waiting, terminated } = asObject(first['state'])
  const { terminated: before } = asObject(first['lastState'])
  const ended = isJsonObject(terminated) ? terminated : isJsonObject(before) ? before : undefined
  const restarts = typeof first['restartCount'] === 'number' ? first['restartCount'] : 0
  const id = text(first['containerID']) ?? ''
  return {
    id,
    isReady: first['ready'] === true,
    startedAt: isJsonObject(running) ? timeOf(running['startedAt']) : undefined,
    exits: isJsonObject(terminated) ? restarts + 1 : Math.max(restarts, ended ? 1 : 0),
    exitCode: typeof ended?.['exitCode'] === 'number' ? ended['exitCode'] : undefined,
    lastStartedAt: ended && timeOf(ended['startedAt']),
    waitsFor: isJsonObject(waiting) ? wordsOf(waiting) : undefined,
    endedId: (ended && text(ended['containerID'])) ?? id,
  }
}

function wordsOf(waiting: Readonly<Record<string, Json | undefined>>): string | undefined {
  return text(waiting['message']) ?? text(waiting['reason'])
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function timeOf(value: Json | undefined): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function asObject(value: Json | undefined): Readonly<Record<string, Json | undefined>> {
  return isJsonObject(value) ? value : {}
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = isJsonObject(value) ? value[key] : undefined
  return Array.isArray(list) ? list : []
}
