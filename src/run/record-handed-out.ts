import { isClusterError } from '../lib/cluster-error.ts'
import { leadTimes } from '../lib/ending.ts'
import type { HandedOutKind } from '../planner/handed-out.ts'
import type { KnownCluster } from '../planner/known-cluster.ts'
import { anchorAfter } from './anchor-after.ts'
import { lockCluster } from './lock-cluster.ts'
import type { ClusterLifecycle } from './mode/cluster-mode.ts'
import type { RunContext } from './run-context.ts'
import type { StateSession } from './state-session.ts'

/** Credentials as somebody was given them. */
export type HandedOut = {
  readonly what: HandedOutKind
  /** How long they were asked to be good for. */
  readonly hours: string
  /** Where there are several of what. */
  readonly role?: string | undefined
  /** When they end, in milliseconds. */
  readonly until: number
}

/** Whether it is recorded when credentials end that live so long: shorter ones end before anybody could be warned. */
export function isRecorded(hours: number): boolean {
  return hours * 3_600_000 > leadTimes.handedOut
}

/**
 * Takes the lock, as whoever writes the state does before looking at it; it is given back when the session is closed.
 * False where it cannot be had, and then nothing may be recorded: that never keeps credentials from being handed out.
 */
export async function lockForRecord<S extends StateSession, V extends KnownCluster>(
  { machines }: Pick<ClusterLifecycle<S, V>, 'machines'>,
  context: RunContext,
  session: S,
): Promise<boolean> {
  return await unlessRefused(context, async () => {
    await machines.requireWrite(session)
    await lockCluster(context, session, { waitMs: 0 })
  })
}

/** Records when what was handed out ends, in a state that was looked at under the lock. */
export async function recordHandedOut<S extends StateSession, V extends KnownCluster>(
  { machines }: Pick<ClusterLifecycle<S, V>, 'machines'>,
  context: RunContext,
  { session, view }: { readonly session: S; readonly view: V },
  { until, role, ...handedOut }: HandedOut,
): Promise<void> {
  const { actor } = context.run
  const detail = {
    ...handedOut,
    ...(role !== undefined && { role }),
    until: new Date(until).toISOString(),
    ...(actor !== undefined && { actor }),
  }
  await unlessRefused(context, () =>
    anchorAfter(
      () => machines.anchor(session, view),
      () => session.store.record({ fact: 'access-minted', detail }),
    ),
  )
}

export function warnUnrecorded({ progress }: Pick<RunContext, 'progress'>, why: string): void {
  progress.warn(
    `nobody is warned before what is minted ends, since its end could not be recorded: ${why}`,
  )
}

async function unlessRefused(context: RunContext, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!isClusterError(error) || error.code === 'interrupted') throw error
    warnUnrecorded(context, error.message)
    return false
  }
}
