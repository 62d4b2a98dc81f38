import { describeAddonDrift } from '../addons/heal-drift.ts'
import type { InspectedAddons } from '../planner/known-cluster.ts'
import type { RunContext } from './run-context.ts'

/** What was changed by hand in addons, without what nobody approved to be put back: that is left, and said. */
export function leaveAddons(
  progress: RunContext['progress'],
  addons: InspectedAddons,
  unapproved: ReadonlySet<string>,
): InspectedAddons {
  const kept = [...addons.drifts].filter(([name, drifts]) => {
    if (!unapproved.has(`update addon/${name}`)) return true
    progress.warn(
      `the objects of the addon ${name} stay as they are: ${describeAddonDrift(drifts)}, which nobody approved`,
    )
    return false
  })
  const drifts = new Map(kept)
  const left = new Set([...addons.drifts.keys()].filter((name) => !drifts.has(name)))
  return { ...addons, drifts, left }
}
