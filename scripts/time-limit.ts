/**
 * How much of a check fits into the time that a machine has for it. Steps tell what they take on two idle cores;
 * how long the former ones took tells how fast this machine is.
 */
export interface TimeLimit {
  /** Counts in what a step has taken, in minutes, where it is known how long that is on two idle cores. */
  record(idleMinutes: number, minutes: number): void
  /** Whether a step that takes this long on two idle cores would end in time, by the pace so far. */
  hasRoomFor(idleMinutes: number): boolean
}

/** Kept free for what varies between two runs of one step. */
const reserve = 0.1

/**
 * @param limit minutes from the start until everything must have ended; none where there is no limit
 * @param elapsed minutes since the start
 */
export function timeLimit(limit: number | undefined, elapsed: () => number): TimeLimit {
  let [idle, taken] = [0, 0]
  return {
    record(idleMinutes, minutes) {
      idle += idleMinutes
      taken += minutes
    },
    hasRoomFor(idleMinutes) {
      if (limit === undefined) return true
      // A machine that was fast so far may have been lucky with its caches: what is next takes what it says.
      const pace = idle === 0 ? 1 : Math.max(1, taken / idle)
      return elapsed() + idleMinutes * pace * (1 + reserve) <= limit
    },
  }
}
