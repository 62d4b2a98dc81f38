/**
 * How much of a check fits into the time that a machine has for it. Steps tell what they take on two idle cores;
 * how long the former ones took tells how fast this machine is.
 */
export interface TimeLimit {
  /** Counts in what a step has taken, in minutes, where it is known how long that is on two idle cores. */
  record(idleMinutes: number, minutes: number): void
  /** Why nothing of a step is to be started that counts for as much as it gets done; undefined where it may. */
  refusalOfAPart(): string | undefined
  /** Why a step that takes this long on two idle cores is not to be started as a whole; undefined where it may. */
  refusalOf(idleMinutes: number): string | undefined
  /** Minutes until everything must have ended; none where there is no limit. */
  left(): number | undefined
}

/** Kept free for what varies between two runs of one step. */
const reserve = 0.1
/** With less than this, in minutes, a step would be ended before its first test is. */
const leastUseful = 3
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
  // A machine that was fast so far may have been lucky with its caches: what is next takes what it says.
  const pace = () => (idle === 0 ? 1 : Math.max(1, taken / idle))
  const speed = () => `this machine takes ${pace().toFixed(1)} times as long as two idle cores`

  function refusalOfAPart(): string | undefined {
    if (limit === undefined) return undefined
    if (pace() > slowest)
      return `${speed()}, and ${slowest} is the most at which it judges anything`
    return elapsed() + leastUseful <= limit
      ? undefined
      : `of ${limit} minutes ${elapsed().toFixed(0)} are gone`
  }

  return {
    record(idleMinutes, minutes) {
      idle += idleMinutes
      taken += minutes
    },
    refusalOfAPart,
    refusalOf(idleMinutes) {
      const refusal = refusalOfAPart()
      if (limit === undefined || refusal !== undefined) return refusal
      const needed = idleMinutes * pace() * (1 + reserve)
      if (elapsed() + needed <= limit) return
      return `it needs ${needed.toFixed(0)} minutes, of ${limit} ${elapsed().toFixed(0)} are gone, and ${speed()}`
    },
    left() {
      return limit === undefined ? undefined : Math.max(0, limit - elapsed())
    },
  }
}
