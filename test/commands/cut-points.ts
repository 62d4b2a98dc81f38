/**
 * The requests at which a run is cut off: a few of its steps, or with CUT_EVERY=1 all of them up to
 * `last` (CUT_EVERY=3 every third), which is a matter of minutes.
 */
export function cutPoints(few: readonly number[], last: number): readonly number[] {
  const every = Number(process.env['CUT_EVERY'] ?? 0)
  if (every <= 0) return few
  return Array.from({ length: Math.ceil(last / every) }, (_, step) => 1 + step * every)
}

/** As long as all of the steps may take, in milliseconds. */
export const cutTimeoutMs = 3_600_000
