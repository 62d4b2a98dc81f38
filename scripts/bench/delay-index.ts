import type { Delay } from '../../src/sandbox/delay.ts'

/** The delays of a run, by whom they concern. */
export interface DelayIndex {
  /** Those of one target: of each of these kinds the first there was, in this order. */
  firsts(target: string, ...kinds: readonly string[]): Delay[]
  /** All of one target and kind, in the order in which they began. */
  all(target: string, kind: string): Delay[]
  /** All of one kind, whoever they concern, in the order in which they began. */
  ofKind(kind: string): Delay[]
}

/** What was done twice counts once: a client need not have done it twice. */
export function indexDelays(delays: readonly Delay[]): DelayIndex {
  const sorted = [...delays].sort((a, b) => a.at - b.at)
  const byTarget = Map.groupBy(sorted, ({ target }) => target)
  const all = (target: string, kind: string) =>
    (byTarget.get(target) ?? []).filter(({ what }) => what === kind)
  return {
    all,
    firsts: (target, ...kinds) => kinds.flatMap((kind) => all(target, kind).slice(0, 1)),
    ofKind: (kind) => sorted.filter(({ what }) => what === kind),
  }
}
