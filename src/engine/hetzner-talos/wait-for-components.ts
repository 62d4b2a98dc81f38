import type { Clock } from '../../lib/clock.ts'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { type Checked, waitFor } from '../../lib/wait-for.ts'
import type { TalosConnection } from '../../talos/api/talos-caller.ts'
import { isTransient } from '../../talos/api/talos-status.ts'
import { componentLogEnd } from '../../talos/component-log.ts'
import type { NodeComponent } from '../../talos/config/node-component.ts'
import { type NodeHealth, nodeHealth } from '../../talos/node-health.ts'
import type { ComponentProblem } from '../../talos/static-pod-health.ts'

export interface ComponentWait {
  readonly client: TalosConnection
  readonly node: { readonly name: string; readonly isControlPlane: boolean }
  /** Those that the change restarts; what else is broken since before is not asked for. */
  readonly restarts: readonly NodeComponent[]
  /** How the node was before the change; undefined where all of its components must be healthy. */
  readonly before: NodeHealth | undefined
  /**
   * How the node was when it was handed another config, where `restarts` follow from that: none of them is given
   * up before Talos has decided again what it runs with, for what it did until then.
   */
  readonly former?: NodeHealth | undefined
  /** Takes secrets out of logs that are told. */
  readonly redactor: Redactor
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onPending: (reason: string) => void
}

const everyMs = 1_000
/** How long Talos may take to decide again what a component runs with, where it decides anything. */
const decidesWithinMs = 15_000
/** How long components that were restarted must stay up: one that ends after some seconds never was. */
const steadyMs = 20_000
/** How long a component may take to be healthy, in milliseconds: as long as talosctl waits. */
const healthyWithinMs = 5 * 60_000

/**
 * Waits until every component that a change restarted runs with what was asked for and is healthy, on this
 * one node, and stays so. Throws `component-unhealthy` with the first that does not, and the end of its log.
 */
export async function waitForComponents(wait: ComponentWait): Promise<void> {
  const { clock, signal, onPending, node } = wait
  const begin = clock.now()
  const upSince = new Map<string, number>()
  let last = wait.former ?? wait.before
  const check = async (): Promise<Checked<void>> => {
    const seen = await inspect(wait, last)
    if (typeof seen !== 'string') last = seen
    const now = clock.now()
    const pending = pendingOf(seen, wait, now - begin)
    if (pending === undefined) {
      if (isSteady(seen, { before: wait.before, upSince, now })) return { done: undefined }
      // One that was healthy late has its time to stay so; only what was started again is given up.
      const isRestarting = upSince.size > 2 && now - begin >= healthyWithinMs + 2 * steadyMs
      if (isRestarting) throw restarting(node.name)
      return { pending: 'its components run: seeing that they stay up' }
    }
    if (isOver(pending, seen, wait, now - begin)) throw await unhealthy(wait, pending)
    upSince.clear()
    return { pending: describe(pending) }
  }
  await waitFor(`the components of ${node.name}`, check, {
    clock,
    signal,
    everyMs,
    // Looks may be slow, and what is healthy late has still to stay so: this bounds what ends by nothing above.
    withinMs: 2 * healthyWithinMs,
    timedOut: () => restarting(node.name),
    onPending,
  })
}

function restarting(node: string): ClusterError {
  return new ClusterError('component-unhealthy', 'its components restart again and again', {
    operation: 'wait for the components of',
    target: node,
    hint: 'Run `hcloud-talos talos containers -k` and `hcloud-talos talos logs` on this node: they show which one ends, and why.',
  })
}

/** What a node says of its components; a text where it could not be asked. */
type Seen = NodeHealth | string

/** What is waited for; undefined where every component is as it was asked for. */
function pendingOf(
  seen: Seen,
  wait: ComponentWait,
  waitedMs: number,
): ComponentProblem | string | undefined {
  if (typeof seen === 'string') return seen
  const isUndecided = waitedMs < decidesWithinMs && hasUndecided(seen, wait)
  // What is wrong until then is what the former config made of it.
  const problem = isUndecided && wait.former ? undefined : firstProblem(seen, wait)
  return problem ?? (isUndecided ? 'Talos has not taken the change up yet' : undefined)
}

function isOver(
  pending: ComponentProblem | string,
  seen: Seen,
  wait: ComponentWait,
  waitedMs: number,
): boolean {
  if (waitedMs >= healthyWithinMs) return true
  return typeof pending === 'object' && typeof seen === 'object' && isGivenUp(pending, seen, wait)
}

/**
 * A pod that the change did not restart may have ended often in its life, and ends once more while an API
 * server restarts: that one is waited for. So is what still is what the former config made of it.
 */
function isGivenUp(
  { component, isFinal }: ComponentProblem,
  seen: NodeHealth,
  { restarts, former }: ComponentWait,
): boolean {
  const asked = new Set<string>([...restarts, 'kubelet', 'etcd'])
  const isFormer =
    former !== undefined && undecided(seen, former, restarts).some((one) => one === component)
  return isFinal && asked.has(component) && !isFormer
}

/** Whether nothing was restarted, or what was has been up for long enough. */
function isSteady(
  seen: Seen,
  {
    before,
    upSince,
    now,
  }: { before: NodeHealth | undefined; upSince: Map<string, number>; now: number },
): boolean {
  if (typeof seen === 'string') return false
  if (before?.instances === seen.instances) return true
  const since = upSince.get(seen.instances) ?? now
  // Former ones stay in it: more than those of before and after the change were started again.
  upSince.set(seen.instances, since)
  return now - since >= steadyMs
}

/** How a node's components are; undefined where it cannot be asked now. */
export async function healthBefore(
  client: TalosConnection,
  node: ComponentWait['node'],
): Promise<NodeHealth | undefined> {
  try {
    return await nodeHealth(client, node)
  } catch (error) {
    if (!isClusterError(error)) throw error
    client.throwIfAborted()
    return undefined
  }
}

async function inspect(
  { client, node }: ComponentWait,
  last: NodeHealth | undefined,
): Promise<Seen> {
  try {
    return await nodeHealth(client, node, last)
  } catch (error) {
    if (!isTransient(error)) throw error
    return error instanceof Error ? error.message : 'the node is away'
  }
}

function firstProblem(seen: NodeHealth, wait: ComponentWait): ComponentProblem | undefined {
  const { problems } = seen
  const { before, restarts } = wait
  const known = new Set(before?.problems.map(({ component }) => component))
  const asked = new Set<string>(restarts)
  const ours = problems.filter(({ component }) => asked.has(component) || !known.has(component))
  const first = ours.find((problem) => isGivenUp(problem, seen, wait))
  return first ?? ours.find(({ component }) => asked.has(component)) ?? ours[0]
}

/** Whether a component that should be restarted is still to run with what it ran with before. */
function hasUndecided(
  seen: NodeHealth,
  { before, former = before, restarts }: ComponentWait,
): boolean {
  return former !== undefined && undecided(seen, former, restarts).length > 0
}

/** Those that are still to run with what they ran with at the other look. */
function undecided(
  { decided }: NodeHealth,
  former: NodeHealth,
  components: readonly NodeComponent[],
): NodeComponent[] {
  return components.filter(
    (component) =>
      decided.has(component) && decided.get(component) === former.decided.get(component),
  )
}

/** How often the end of a log is asked for: between two instances of a container there may be none. */
const logTries = 3

async function unhealthy(
  { client, node, redactor, clock, signal }: ComponentWait,
  pending: ComponentProblem | string,
): Promise<ClusterError> {
  if (typeof pending === 'string') {
    return new ClusterError('component-unhealthy', `its components cannot be seen: ${pending}`, {
      operation: 'wait for the components of',
      target: node.name,
    })
  }
  const { component, reason } = pending
  const readLog = () => componentLogEnd(client, { component, node: node.name, redactor })
  let log = await readLog()
  for (let tries = 1; log.length === 0 && tries < logTries; tries += 1) {
    await clock.sleep(everyMs, signal)
    log = await readLog()
  }
  return new ClusterError('component-unhealthy', `${component} is not healthy: ${reason}`, {
    operation: `wait for ${component} on`,
    target: node.name,
    evidence: log.map((line) => `log of ${component} | ${line}`),
  })
}

function describe(pending: ComponentProblem | string): string {
  return typeof pending === 'object' ? `${pending.component}: ${pending.reason}` : pending
}
