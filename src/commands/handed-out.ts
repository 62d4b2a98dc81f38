import { isClusterError } from '../lib/cluster-error.ts'
import { describeEnd, leadTimes } from '../lib/ending.ts'
import type { Finding } from '../lib/finding.ts'
import type { Generation } from '../store/generation.ts'
import type { StateStore } from '../store/state-store.ts'
import type { RunContext } from './run-context.ts'

/** For how long after its end somebody is still told of it, in milliseconds. */
const toldAfterMs = 7 * 86_400_000

/**
 * Writes down that credentials were handed out which live longer than people think of them: shorter ones end before
 * anybody could be warned. Never keeps them from being handed out.
 */
export async function noteHandedOut(
  { progress }: Pick<RunContext, 'progress'>,
  store: StateStore,
  until: number,
  hours: number,
): Promise<void> {
  if (hours * 3_600_000 <= leadTimes.handedOut) return
  try {
    // It is given back when the store is closed.
    await store.lock({ waitMs: 0 })
    await store.record({ fact: 'access-minted', detail: { until: new Date(until).toISOString() } })
  } catch (error) {
    if (!isClusterError(error) || error.code === 'interrupted') throw error
    progress.warn(
      `nobody will be told before it ends, since that could not be written down: ${error.message}`,
    )
  }
}

/** What was handed out and ends soon, or has just ended, each in a sentence. Pure. */
export function handedOutEnds({ journal }: Pick<Generation, 'journal'>, now: number): string[] {
  return journal.flatMap(({ fact, at, run, detail }) => {
    const until = fact === 'access-minted' ? Date.parse(detail?.['until'] ?? '') : Number.NaN
    const isNear = until - now < leadTimes.handedOut && now - until < toldAfterMs
    return isNear
      ? [`what was handed out on ${at.slice(0, 10)} (run ${run}) ${describeEnd(until, now)}`]
      : []
  })
}

/** The same for a plan. */
export function reportHandedOut(generation: Generation | undefined, now: number): Finding[] {
  if (!generation) return []
  return handedOutEnds(generation, now).map((message) => ({
    severity: 'warning',
    path: [],
    message,
    hint: 'Mint another one with `hcloud-talos kubeconfig` or `hcloud-talos talosconfig`.',
  }))
}
