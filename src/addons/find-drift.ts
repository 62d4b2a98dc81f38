import type { AddonCluster } from '../lib/addon-cluster.ts'
import type { SetDrift } from '../lib/object-set.ts'
import type { Inventory } from '../plan/inventory.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { AddonFacts } from './addon.ts'
import { releaseOf } from './addon-release.ts'
import { type AddonsOf, enabledAddons } from './catalogue.ts'
import type { AddonRenderer } from './render-addon.ts'
import { renderWanted } from './render-wanted.ts'

export interface AddonDrift {
  readonly addon: string
  readonly drifts: readonly SetDrift[]
}

/**
 * What of a cluster's addons, or of `only` some, is not as it was applied, found without changing anything: what a
 * record in the state branch cannot tell. Addons that are as they should be are left out.
 */
export async function findAddonDrift<Spec extends CommonSpec>(
  spec: Spec,
  facts: AddonFacts,
  {
    cluster,
    renderer,
    recorded,
    only,
    addonsOf,
  }: {
    readonly cluster: AddonCluster
    readonly renderer: AddonRenderer
    /** What was applied: charts must still be the same. */
    readonly recorded: Inventory['addons']
    readonly only?: ReadonlySet<string>
    readonly addonsOf: AddonsOf<Spec>
  },
): Promise<AddonDrift[]> {
  const capabilities = await cluster.capabilities()
  const releases = enabledAddons(spec, addonsOf).map((addon) => releaseOf(addon, spec, facts))
  const rendered = releases.filter(({ addon }) => !only || only.has(addon.name))
  const { sets } = await renderWanted(releases, { rendered, renderer, capabilities, recorded })
  const found: AddonDrift[] = []
  for (const [addon, set] of sets) {
    const drifts = await cluster.setDrift(set)
    if (drifts.length > 0) found.push({ addon, drifts })
  }
  return found
}
