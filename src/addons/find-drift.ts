import type { AddonCluster } from '../lib/addon-cluster.ts'
import type { SetDrift } from '../lib/object-set.ts'
import type { Inventory } from '../plan/inventory.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { AddonFacts } from './addon.ts'
import { releaseOf } from './addon-release.ts'
import { type AddonTable, enabledAddons } from './catalogue.ts'
import type { AddonRenderer } from './render-addon.ts'
import { renderReleases } from './render-releases.ts'
import { sortNamespaces } from './sort-namespaces.ts'

export interface AddonDrift {
  readonly addon: string
  readonly drifts: readonly SetDrift[]
}

/**
 * What of a cluster's addons, or of `only` some, is not as it was applied, found without changing anything: what a
 * record in the state branch cannot tell. Addons that are as they should be are left out.
 */
export async function findAddonDrift(
  spec: ClusterSpec,
  facts: AddonFacts,
  {
    cluster,
    renderer,
    recorded,
    only,
    addons,
  }: {
    readonly cluster: AddonCluster
    readonly renderer: AddonRenderer
    /** What was applied: charts must still be the same. */
    readonly recorded: Inventory['addons']
    readonly only?: ReadonlySet<string>
    readonly addons?: AddonTable
  },
): Promise<AddonDrift[]> {
  const capabilities = await cluster.capabilities()
  const enabled = enabledAddons(spec, addons)
  const releases = enabled
    .filter(({ name }) => !only || only.has(name))
    .map((addon) => releaseOf(addon, spec, facts))
  const rendered = await renderReleases(releases, { renderer, capabilities, recorded })
  const { sets } = sortNamespaces(enabled, rendered)
  const found: AddonDrift[] = []
  for (const [addon, set] of sets) {
    const drifts = await cluster.setDrift(set)
    if (drifts.length > 0) found.push({ addon, drifts })
  }
  return found
}
