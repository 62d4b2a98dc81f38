import type { ClusterRecord } from '../plan/record.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { AddonFacts } from './addon.ts'
import { releaseOf } from './addon-release.ts'
import { type AddonTable, addonsOf, enabledAddons } from './catalogue.ts'

/** The addons that a spec asks for. They need a control plane that answers, and one another. */
export function desireAddons(
  spec: ClusterSpec,
  facts: AddonFacts,
  addons: AddonTable = addonsOf(spec),
): ClusterRecord[] {
  const enabled = enabledAddons(spec, addons)
  const names = new Set<string>(enabled.map((addon) => addon.name))
  return enabled.map((addon) => {
    const { version, digest } = releaseOf(addon, spec, facts)
    return {
      kind: 'addon',
      name: addon.name,
      spec: { version, digest },
      needs: [
        `etcd/${spec.clusterName}`,
        ...addon.needs.filter((name) => names.has(name)).map((name) => `addon/${name}` as const),
      ],
    }
  })
}
