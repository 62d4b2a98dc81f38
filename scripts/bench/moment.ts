import type { Delay } from '../../src/sandbox/delay.ts'

/** The earliest instant, counted from a run's beginning, at which something can be true; and why not before. */
export interface Moment {
  /** Milliseconds; always the sum of the chain. */
  readonly at: number
  /** The delays that lead to it, one after the other. */
  readonly chain: readonly Delay[]
}

/** A run's first instruction. */
export const beginning: Moment = { at: 0, chain: [] }

/** What follows a moment when all of these delays have passed, one after the other. */
export function followedBy(moment: Moment, delays: readonly Delay[]): Moment {
  return {
    at: delays.reduce((sum, { ms }) => sum + ms, moment.at),
    chain: [...moment.chain, ...delays],
  }
}

/** When all of them are true; the beginning where there is none. */
export function whenAll(moments: readonly Moment[]): Moment {
  return moments.reduce((last, moment) => (moment.at > last.at ? moment : last), beginning)
}

/** When the first of them is true; the beginning where there is none. */
export function whenAny(moments: readonly Moment[]): Moment {
  const [first = beginning, ...others] = moments
  return others.reduce((soonest, moment) => (moment.at < soonest.at ? moment : soonest), first)
}
