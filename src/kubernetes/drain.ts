import type { Clock } from '../lib/clock.ts'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { describeRef, type KubernetesObject, refOf, textAt } from '../lib/kubernetes-object.ts'
import { createLimit } from '../lib/limit.ts'
import { type Checked, waitFor } from '../lib/wait-for.ts'
import { isApiRefusal } from './api-refusal.ts'
import { blockingBudgets } from './disruption-budgets.ts'
import { type DrainPolicy, type DrainVerdict, judgePods } from './drain-filter.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { attachedVolumes } from './volume-attachments.ts'

export interface DrainOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** For the whole drain, in milliseconds; never endless. */
  readonly withinMs: number
  readonly policy?: Partial<DrainPolicy>
  /** Seconds that pods get to end; their own wish where it is absent. */
  readonly gracePeriodSeconds?: number
  readonly onStep?: (message: string) => void
  readonly onWarning?: (message: string) => void
}

export const defaultDrainPolicy: DrainPolicy = {
  ignoreDaemonSets: true,
  deleteEmptyDirData: true,
  force: false,
  skipTerminatingAfterMs: 15 * 60_000,
}

/** How long an eviction that a budget forbids is left alone, and how often a pod is looked at. */
const evictAgainAfterMs = 5_000
const pollMs = 1_000

/** How many evictions are under way at once. */
const concurrency = 50

/**
 * Empties a node that is cordoned already: evicts what `kubectl drain` would, waits until the pods are
 * gone and their volumes are detached. Throws `drain-blocked` without having evicted anything when a
 * pod must not be, and when time is up, naming the pods and the budgets that forbid it.
 */
export async function drain(
  client: KubernetesClient,
  node: string,
  options: DrainOptions,
): Promise<{ evicted: number }> {
  const { clock, onStep, onWarning } = options
  const deadline = clock.now() + options.withinMs
  const { evict, stay, warnings, obstacles } = await examine(client, node, options)
  if (obstacles.length > 0) throw blocked(node, `nothing was evicted: ${obstacles.join('; ')}`)
  for (const warning of warnings) onWarning?.(warning)

  let left = evict.length
  onStep?.(`${left} pods to evict`)
  const limit = createLimit(concurrency)
  const ends = await Promise.allSettled(
    evict.map((pod) =>
      limit(async () => {
        await removePod(client, pod, deadline, options)
        left--
        onStep?.(`${left} of ${evict.length} pods left`)
      }),
    ),
  )
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  if (failures.length > 0) throw summarize(node, failures)
  await waitForDetached(client, node, stay, deadline, options)
  return { evicted: evict.length }
}

async function examine(
  client: KubernetesClient,
  node: string,
  { clock, policy }: DrainOptions,
): Promise<DrainVerdict> {
  const [pods, daemonSets] = await Promise.all([
    client.list({ apiVersion: 'v1', kind: 'Pod', fieldSelector: `spec.nodeName=${node}` }),
    client.list({ apiVersion: 'apps/v1', kind: 'DaemonSet' }),
  ])
  const known = new Set(daemonSets.map((set) => `${refOf(set).namespace}/${set.metadata.name}`))
  return judgePods(
    pods,
    { ...defaultDrainPolicy, ...policy },
    {
      now: clock.now(),
      daemonSetExists: (namespace, name) => known.has(`${namespace}/${name}`),
    },
  )
}

async function removePod(
  client: KubernetesClient,
  pod: KubernetesObject,
  deadline: number,
  options: DrainOptions,
): Promise<void> {
  if (!(await askForEviction(client, pod, deadline, options))) return
  const { clock, signal } = options
  const name = describeRef(refOf(pod))
  const check = async (): Promise<Checked<void>> =>
    (await isSamePod(client, pod)) ? { pending: 'it is ending' } : { done: undefined }
  await waitFor(`${name} to end`, check, {
    clock,
    signal,
    everyMs: pollMs,
    withinMs: deadline - clock.now(),
    timedOut: () => new ClusterError('drain-blocked', `${name} was evicted but has not ended`),
  })
}

/** Asks until the eviction is granted (true) or the pod is gone (false). */
async function askForEviction(
  client: KubernetesClient,
  pod: KubernetesObject,
  deadline: number,
  options: DrainOptions,
): Promise<boolean> {
  const { clock, signal } = options
  let refused: { readonly notNow: unknown } | undefined
  const check = async (): Promise<Checked<boolean>> => {
    if (refused && !(await isSamePod(client, pod))) return { done: false }
    const answer = await askOnce(client, pod, options)
    if (typeof answer === 'boolean') return { done: answer }
    refused = answer
    return { pending: 'it may not be evicted yet' }
  }
  return waitFor(`the eviction of ${describeRef(refOf(pod))}`, check, {
    clock,
    signal,
    everyMs: evictAgainAfterMs,
    // One that is granted at the very end would leave the pod no time, and the drain would have failed for it.
    withinMs: deadline - clock.now() - evictAgainAfterMs,
    timedOut: () => refusedTooLong(client, pod, refused?.notNow),
  })
}

async function askOnce(
  client: KubernetesClient,
  pod: KubernetesObject,
  { gracePeriodSeconds }: DrainOptions,
): Promise<boolean | { notNow: unknown }> {
  try {
    await client.evict(refOf(pod), gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds })
    return true
  } catch (error) {
    if (isApiRefusal(error, 404)) return false
    if (!isWorthAsking(error)) throw error
    const ending = isNamespaceTerminating(error) && (await isTerminating(client, pod))
    return ending || { notNow: error }
  }
}

/** 429 is a budget's no for now. A 500 here is for good: more than one budget chooses the pod. */
function isWorthAsking(error: unknown): boolean {
  return (
    isApiRefusal(error, 429, 503) ||
    isNamespaceTerminating(error) ||
    isClusterError(error, 'kubernetes-unreachable')
  )
}

function isNamespaceTerminating(error: unknown): boolean {
  return (
    isApiRefusal(error, 403) &&
    error.causes.some((cause) => cause.reason === 'NamespaceTerminating')
  )
}

/** A pod of the same name with another uid is another pod: ours is gone. */
async function isSamePod(client: KubernetesClient, pod: KubernetesObject): Promise<boolean> {
  const now = await client.get(refOf(pod))
  return textAt(now, 'metadata', 'uid') === textAt(pod, 'metadata', 'uid')
}

async function isTerminating(client: KubernetesClient, pod: KubernetesObject): Promise<boolean> {
  return textAt(await client.get(refOf(pod)), 'metadata', 'deletionTimestamp') !== undefined
}

async function refusedTooLong(
  client: KubernetesClient,
  pod: KubernetesObject,
  cause: unknown,
): Promise<ClusterError> {
  const budgets = await blockingBudgets(client, pod)
  const why = budgets.length > 0 ? budgets.join(' and ') : isApiRefusal(cause) ? cause.message : ''
  return new ClusterError(
    'drain-blocked',
    `${describeRef(refOf(pod))} may not be evicted: ${why}`,
    {
      cause,
    },
  )
}

async function waitForDetached(
  client: KubernetesClient,
  node: string,
  staying: readonly KubernetesObject[],
  deadline: number,
  { clock, signal, onStep }: DrainOptions,
): Promise<void> {
  let volumes: readonly string[] = []
  const check = async (): Promise<Checked<void>> => {
    volumes = await attachedVolumes(client, node, staying)
    if (volumes.length === 0) return { done: undefined }
    return { pending: `${volumes.length} volumes are still attached` }
  }
  await waitFor(`the volumes of ${node} to be detached`, check, {
    clock,
    signal,
    everyMs: 2 * pollMs,
    withinMs: deadline - clock.now(),
    timedOut: () => stillAttached(node, volumes),
    ...(onStep && { onPending: onStep }),
  })
}

function stillAttached(node: string, volumes: readonly string[]): ClusterError {
  return new ClusterError(
    'drain-blocked',
    `node ${node} cannot be drained: volumes stay attached: ${volumes.join(', ')}`,
    {
      operation: 'drain',
      target: node,
      hint: 'Look at `kubectl get volumeattachments` and the log of the CSI driver, then run again: the pods are gone, and the driver has not detached these.',
    },
  )
}

function summarize(node: string, failures: readonly unknown[]): unknown {
  const [first] = failures
  const unexpected = failures.find((failure) => !(failure instanceof ClusterError))
  if (unexpected !== undefined) return unexpected
  if (failures.length === 1 && isClusterError(first, 'kubernetes-unreachable')) return first
  const messages = failures.map((failure) => (failure instanceof Error ? failure.message : ''))
  return blocked(node, messages.join('; '), first)
}

function blocked(node: string, why: string, cause?: unknown): ClusterError {
  return new ClusterError('drain-blocked', `node ${node} cannot be drained: ${why}`, {
    operation: 'drain',
    target: node,
    hint: 'Make room for these pods, or loosen the budget, then run again.',
    ...(cause === undefined ? {} : { cause }),
  })
}
