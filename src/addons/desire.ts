import type { ClusterRecord } from '../plan/record.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { AddonFacts } from './addon.ts'
import { releaseOf } from './addon-release.ts'
import { type AddonsOf, enabledAddons } from './catalogue.ts'

/** The addons that a spec asks for. They need a control plane that answers, and one another. */
export function desireAddons<Spec extends CommonSpec>(
  spec: Spec,
  facts: AddonFacts,
  addonsOf: AddonsOf<Spec>,
): ClusterRecord[] {
  const enabled = enabledAddons(spec, addonsOf)
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
