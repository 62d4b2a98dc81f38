import type { InspectedAddons } from '../planner/known-cluster.ts'

/** Addons whose objects were changed by hand, as people read them. */
export function driftedAddons(addons: InspectedAddons | undefined): string[] {
  return [...(addons?.drifts.keys() ?? [])].map((name) => `the addon ${name}`)
}
