import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'

/** Certificates are dated by this machine's clock; an apply refuses one that is off by more than a few minutes. */
const toleratedSkewMs = 60_000

/** Whether the clock of this machine agrees with that of somebody who was asked. Pure. */
export function diagnoseClock(
  whose: string,
  theirs: number | undefined,
  ours: number,
): Diagnosis[] {
  if (theirs === undefined) return []
  const skew = ours - theirs
  if (Math.abs(skew) <= toleratedSkewMs) return [passed('clock', `it agrees with that of ${whose}`)]
  const seconds = Math.round(Math.abs(skew) / 1000)
  return [
    problem(
      'clock',
      'bad',
      `it is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} that of ${whose}: certificates would be wrong`,
      'Set it by NTP: run `timedatectl set-ntp true`.',
    ),
  ]
}
