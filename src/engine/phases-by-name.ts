import type { PlanPhase } from './run-plan.ts'

/**
 * Phases in the order in which people see them. They are given by name, so that one which a kind names and that is
 * missing does not compile; the order is a list of its own, since that of an object's keys is a matter of how they look.
 */
export function phasesByName<Name extends string>(
  order: readonly NoInfer<Name>[],
  phases: Readonly<Record<Name, PlanPhase>>,
): readonly PlanPhase[] {
  const ordered = [...new Set(order)].map((name) => phases[name])
  const forgotten = Object.values<PlanPhase>(phases).filter((phase) => !ordered.includes(phase))
  if (forgotten.length > 0) {
    throw new Error(`phases without a place: ${forgotten.map(({ title }) => title).join(', ')}`)
  }
  return ordered
}
