const day = 86_400_000
const hour = 3_600_000

/**
 * How long before an end, in milliseconds, somebody is to know of it. What ends by itself and is not renewed by anybody
 * takes the longest; what Talos renews by itself is a finding only once it is overdue.
 */
export const leadTimes = {
  /** An apply renews it, in a rolling reboot of the control planes: half a year has room for every release freeze. */
  authority: 180 * day,
  /** Less than that is an alarm: with the CA everything ends at once, and there is no access over the network. */
  authorityUrgent: 30 * day,
  /** Talos gives an API server another certificate after half of its year; a month later it has not. */
  apiServer: 150 * day,
  /** Talos gives a node another one after half of its day; a quarter later it has not. */
  node: 6 * hour,
  /** Whoever has one asks for another one: a fortnight spans a holiday. */
  handedOut: 14 * day,
  /** Somebody makes another one, and puts it into secrets: as long as what was handed out. */
  token: 14 * day,
  /** An upgrade is planned, tried and rolled out: two months. */
  support: 56 * day,
} as const

/** `ends on 2026-12-24, in 26 days`, or `ended on 2026-11-20`. */
export function describeEnd(end: number, now: number): string {
  const date = dateOf(end)
  if (end <= now) return `ended on ${date}`
  const days = Math.floor((end - now) / day)
  if (days > 1) return `ends on ${date}, in ${days} days`
  const hours = Math.floor((end - now) / hour)
  return `ends on ${date}, in ${hours} ${hours === 1 ? 'hour' : 'hours'}`
}

/** The day, as everybody reads it. */
export function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}
