import type { Diagnosis } from '../../run/diagnosis.ts'
import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type DoctorInput, doctorInMode } from '../modes/doctor-in-mode.ts'

/** Looks at all that must be right around a cluster. Changes nothing, and finds as much as it can. */
export function runDoctor(context: RunContext, input: DoctorInput): Promise<Diagnosis[]> {
  return inModeOf(input.file, (mode) => doctorInMode(mode, context, input))
}
