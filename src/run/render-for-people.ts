import type { AddonsOf } from '../addons/catalogue.ts'
import { type ShownAddon, showAddons } from '../addons/show-addons.ts'
import { unmintedUid } from '../plan/plan.ts'
import { clearAddonSecrets } from '../planner/clear-addon-secrets.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { Generation } from '../store/generation.ts'
import { addonRenderer } from './addon-renderer.ts'
import type { ChosenAddons } from './mode/cluster-addons.ts'
import type { RunContext } from './run-context.ts'
import { runPhase } from './run-phase.ts'

/** Addons of a file as an apply would make them, fit to be printed: secrets are hidden. Asks no cluster. */
export function renderForPeople<Spec extends CommonSpec>(
  context: RunContext,
  { spec, generation }: { readonly spec: Spec; readonly generation: Generation | undefined },
  { addonsOf, chosen }: { readonly addonsOf: AddonsOf<Spec>; readonly chosen: ChosenAddons },
): Promise<readonly ShownAddon[]> {
  // Charts put them where nothing tells that they are secrets.
  for (const secret of clearAddonSecrets(spec)) context.redactor.add(secret)
  const { uid = unmintedUid, addons: recorded = {} } = generation?.inventory ?? {}
  const renderer = addonRenderer(context, undefined)
  return runPhase(context.progress, 'Render the addons', () =>
    showAddons(spec, { uid }, { addonsOf, renderer, recorded, chosen }),
  )
}
