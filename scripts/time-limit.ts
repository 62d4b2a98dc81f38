/**
 * How much of a check fits into the time that a machine has for it. Steps tell what they take on two idle cores;
 * how long the former ones took tells how fast this machine is.
 */
export interface TimeLimit {
  /** Counts in what a step has taken, in minutes, where it is known how long that is on two idle cores. */
  record(idleMinutes: number, minutes: number): void
  /** Why a step that takes this long on two idle cores is not to be started; undefined where it is. */
  refusalOf(idleMinutes: number): string | undefined
}

/** Kept free for what varies between two runs of one step. */
const reserve = 0.1
/**
 * On a machine that is slower than this, tests that wait on a clock fail for the machine: leases end while a program
 * starts. What they report says nothing of the change.
 */
const slowest = 4

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
    refusalOf(idleMinutes) {
      if (limit === undefined) return
      // A machine that was fast so far may have been lucky with its caches: what is next takes what it says.
      const pace = idle === 0 ? 1 : Math.max(1, taken / idle)
      const speed = `this machine takes ${pace.toFixed(1)} times as long as two idle cores`
      if (pace > slowest) return `${speed}, and ${slowest} is the most at which it judges anything`
      const needed = idleMinutes * pace * (1 + reserve)
      if (elapsed() + needed <= limit) return
      return `it needs ${needed.toFixed(0)} minutes, of ${limit} ${elapsed().toFixed(0)} are gone, and ${speed}`
    },
  }
}
