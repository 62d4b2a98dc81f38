import { type HostStepId, hostStepIds } from './host-check.ts'
import type { HostEvidence } from './host-evidence.ts'

/** How far a host is: the step that is done together with all before it. */
export type HostPhase = 'unprepared' | HostStepId

/**
 * The highest step whose own checks and those of all lower steps pass. A host whose swap is on again is unprepared,
 * whatever was installed on it since. A step of which nothing is known has not passed.
 */
export function hostPhase(evidence: readonly HostEvidence[]): HostPhase {
  let phase: HostPhase = 'unprepared'
  for (const step of hostStepIds) {
    const own = evidence.filter((one) => one.step === step)
    if (own.length === 0 || own.some(({ state }) => state !== 'passed')) return phase
    phase = step
  }
  return phase
}
