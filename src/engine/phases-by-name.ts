import type { RecordKind } from '../plan/record.ts'
import type { PlanPhase } from './run-plan.ts'

/** A phase without its kinds: these name the phase. */
export type NamedPhase = Omit<PlanPhase, 'kinds'>

/** Phases in the order in which people see them, each with the kinds that name it. */
export function phasesByName<Name extends string>(
  phases: Readonly<Record<Name, NamedPhase>>,
  kindsOf: (name: string) => readonly RecordKind[],
): PlanPhase[] {
  return Object.entries<NamedPhase>(phases).map(([name, phase]) => ({
    ...phase,
    kinds: kindsOf(name),
  }))
}
