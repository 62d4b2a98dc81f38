import { describeEnd, leadTimes } from '../lib/ending.ts'
import type { Finding } from '../lib/finding.ts'
import type { Generation } from '../store/generation.ts'

/** For how long after its end somebody is still told of it, in milliseconds. */
const toldAfterMs = 7 * 86_400_000

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
