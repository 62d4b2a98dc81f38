import type { AddonCluster } from '../lib/addon-cluster.ts'
import type { SetDrift } from '../lib/object-set.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { AddonFacts } from './addon.ts'
import { releaseOf } from './addon-release.ts'
import { type AddonTable, enabledAddons } from './catalogue.ts'
import type { ChartRenderer } from './render-chart.ts'

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
    only,
    addons,
  }: {
    readonly cluster: AddonCluster
    readonly renderer: ChartRenderer
    readonly only?: ReadonlySet<string>
    readonly addons?: AddonTable
  },
): Promise<AddonDrift[]> {
  const capabilities = await cluster.capabilities()
  const found: AddonDrift[] = []
  for (const addon of enabledAddons(spec, addons)) {
    if (only && !only.has(addon.name)) continue
    const set = await renderer.render(releaseOf(addon, spec, facts), capabilities)
    const drifts = await cluster.setDrift(set)
    if (drifts.length > 0) found.push({ addon: addon.name, drifts })
  }
  return found
}
