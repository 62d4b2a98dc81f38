import type { HetznerClient } from '../../hetzner/api/hetzner-client.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { RunContext } from '../run-context.ts'

/** Nodes wait that long for a certificate to become valid, at the least. */
const toleratedSkewMs = 5 * 60_000

/**
 * Compares this machine's calendar with Hetzner's, by the date of its last answer. Certificates are dated by the
 * calendar: those of a machine that is hours ahead are not valid yet, and a cluster that was made with them cannot be
 * reached. Throws `clock-wrong`; says nothing before Hetzner has answered.
 */
export function requireClock(
  { calendar }: Pick<RunContext, 'calendar'>,
  { serverTime }: Pick<HetznerClient, 'serverTime'>,
): void {
  if (serverTime === undefined) return
  const skew = calendar.now() - serverTime
  if (Math.abs(skew) <= toleratedSkewMs) return
  const minutes = Math.round(Math.abs(skew) / 60_000)
  throw new ClusterError(
    'clock-wrong',
    `the clock of this machine is ${minutes} min ${skew > 0 ? 'ahead of' : 'behind'} Hetzner's; nothing was changed`,
    {
      operation: 'date certificates',
      hint: 'Set the clock by NTP (`timedatectl set-ntp true`), then run again.',
    },
  )
}
